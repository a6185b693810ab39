/** A path of a repository as seen from one of its folders: `docs/a.md` from `website` → `../docs/a.md`. Pure. */
export function relocateFile(file: string, folder: string): string {
  if (file === '' || folder === '') return file
  if (file.startsWith(`${folder}/`)) return file.slice(folder.length + 1)
  return `${'../'.repeat(folder.split('/').length)}${file}`
}
