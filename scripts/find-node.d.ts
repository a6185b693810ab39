export function listNodeFolders(env: NodeJS.ProcessEnv, home: string): string[]
export function findNode(folders: readonly string[], isNewEnough: (version: string) => boolean): string | undefined
