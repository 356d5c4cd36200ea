/**
 * A Node that can run the server (22.13 or newer, for `node:sqlite`): the one that runs now, or the one that this
 * package installs from the registry for machines with an older Node.
 * @throws Error when there is none for this platform.
 */
export declare function serverNode(): string
