import type { ThreeVersions } from './merge-literals.ts'

/** `mergeLiterals`, whose parsers are loaded for the first file: most processes never merge one. */
export async function mergeFile(versions: ThreeVersions): Promise<string | null> {
  const { mergeLiterals } = await import('./merge-literals.ts')
  return mergeLiterals(versions)
}
