/**
 * The list of materials of one package, from that of a project which has all of them installed (`npm sbom`, CycloneDX).
 * @param {any} project
 * @param {string} name of the package
 */
export function materialsOf(project, name) {
  const own = project.components.find((component) => nameOf(component) === name)
  if (own === undefined) throw new Error(`${name} is not among the materials of the project.`)
  const needs = new Map(project.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))
  const reached = new Set([own['bom-ref']])
  for (const ref of reached) for (const needed of needs.get(ref) ?? []) reached.add(needed)
  const { serialNumber: _, metadata, ...rest } = project
  const { timestamp: __, ...described } = metadata
  return {
    ...rest,
    metadata: { ...described, component: withoutPlaces(own) },
    components: project.components.filter((each) => each !== own && reached.has(each['bom-ref'])).map(withoutPlaces),
    dependencies: project.dependencies.filter(({ ref }) => reached.has(ref)),
  }
}

const nameOf = ({ group, name }) => (group === undefined ? name : `${group}/${name}`)

/** A component without folders and tarballs of the machine that made the list. */
function withoutPlaces(component) {
  const externalReferences = component.externalReferences?.filter(({ url }) => !url.startsWith('file:'))
  return { ...component, properties: undefined, externalReferences }
}
