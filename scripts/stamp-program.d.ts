export function stampProgram(root: string): string
