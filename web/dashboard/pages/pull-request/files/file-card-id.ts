/** Id of the element that shows a file. */
export function fileCardId(path: string): string {
  return `file-${encodeURIComponent(path)}`
}
