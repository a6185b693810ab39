import { factsFormat } from '../../drift/drift-database.ts'

/** Name of a site's file in the folder of files of facts. */
export function nameFactsFile(siteId: string): string {
  return `${siteId}.${factsFormat}`
}

/** All files that may belong to a site. */
export function listFactsFiles(siteId: string): string[] {
  return ['', '-wal', '-shm'].map((end) => nameFactsFile(siteId) + end)
}
