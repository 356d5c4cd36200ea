/** Names this client to the service. The version is the package's; a test holds it against the manifest. */
export const VERSION = '0.1.0'

export function userAgent(appIdentifier: string | undefined): string {
  const own = `pixpress-client/${VERSION} Node/${process.versions.node} (${process.platform})`
  return appIdentifier === undefined ? own : `${appIdentifier} ${own}`
}
