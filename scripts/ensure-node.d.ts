/** The machine and user that run the script. */
export interface Host {
  /** Version of the Node that runs the script. */
  version: string
  env: NodeJS.ProcessEnv
  /** May not exist. */
  home: string
  /** Where a Node may be installed. */
  nodeFolders: readonly string[]
}

export function ensureNode(root: string, host?: Host): Promise<string>
