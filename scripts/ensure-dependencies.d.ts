export function ensureDependencies(root: string, options: { isProduct: boolean; env: NodeJS.ProcessEnv }): Promise<void>
