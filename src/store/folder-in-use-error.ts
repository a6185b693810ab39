/** Another process, or another store of this process, uses the data folder. Retryable once it is closed. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  readonly folder: string

  constructor(folder: string) {
    super(`Another Docent process uses the data folder ${folder}. Stop it or choose another folder with DOCENT_DATA.`)
    this.folder = folder
  }
}
