import { stat } from 'node:fs/promises'

export async function pathExists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}

export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true
}
