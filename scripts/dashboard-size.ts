/** The manifest's entry for a part of the build, by the path of its source. */
export interface ManifestChunk {
  file: string
  imports?: string[]
  css?: string[]
}

/**
 * The files that a page needs before it is drawn: its own part, the start of the dashboard, and whatever these import.
 * Paths are relative to the build.
 */
export function listFirstFiles(manifest: Readonly<Record<string, ManifestChunk>>, page: string): string[] {
  const files = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The build has no part ${name}: its page was moved or renamed.`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    for (const part of chunk.imports ?? []) add(part)
  }
  for (const name of ['index.html', 'dashboard.tsx', 'style.css', page]) add(name)
  return [...files]
}
