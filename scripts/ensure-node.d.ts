/** What this machine and this user have. */
export interface Host {
  /** Of the Node that runs the script. */
  version: string
  env: NodeJS.ProcessEnv
  /** May not exist. */
  home: string
  /** Where a Node may be installed. */
  nodeFolders: readonly string[]
}

export function ensureNode(root: string, host?: Host): Promise<string>
