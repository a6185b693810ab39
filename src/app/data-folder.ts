import { hash, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { replaceFile } from '../base/replace-file.ts'

/** Paths in the data folder. */
export interface DataFolder {
  path: string
  /** Index files of all sites. */
  indexes: string
  /** Mirrors of the git repositories that sites are read from. */
  mirrors: string
  /** Bare repositories of the built-in host. */
  repositories: string
  /** Parsed pages of all sites, cached between indexing runs. */
  parsed: string
  /** Passage vectors of all sites, cached between indexing runs. */
  vectors: string
  /** Fetched pages of crawled sites, cached between indexing runs. */
  crawls: string
  /** What products say, compared with pages; one file for each site. */
  drift: string
  /** The generated secret key. Mode 0600. */
  secretFile: string
  /** Address and token of the running server, for commands on this machine. Mode 0600. */
  serverFile: string
}

/** Creates nothing, so that commands can look for an installation. */
export function locateDataFolder(settings: Pick<Settings, 'dataFolder'>): DataFolder {
  const path = resolve(settings.dataFolder)
  return {
    path,
    indexes: join(path, 'indexes'),
    mirrors: join(path, 'mirrors'),
    repositories: join(path, 'repositories'),
    parsed: join(path, 'parsed'),
    vectors: join(path, 'vectors'),
    crawls: join(path, 'crawls'),
    drift: join(path, 'drift'),
    secretFile: join(path, 'secret-key'),
    serverFile: join(path, 'server.json'),
  }
}

/**
 * Creates the folder if it is missing.
 *
 * @throws {UnusableFolderError} if it cannot be used, or contains a folder in place of a file, or the reverse.
 */
export async function openDataFolder(settings: Pick<Settings, 'dataFolder'>): Promise<DataFolder> {
  const folder = locateDataFolder(settings)
  const { path, secretFile, serverFile, ...folders } = folder
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    for (const file of [secretFile, serverFile, join(path, 'docent.db'), join(path, 'lock.db')]) {
      // Container engines make a folder of a file that is to be mounted and is not there.
      if ((await stat(file).catch(ignoreMissing))?.isDirectory() === true)
        throw new UnusableFolderError(file, 'a folder')
    }
    for (const each of [...Object.values(folders), join(path, 'scratch')]) {
      if ((await stat(each).catch(ignoreMissing))?.isFile() === true) throw new UnusableFolderError(each, 'a file')
    }
    await mkdir(folder.indexes, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw error instanceof UnusableFolderError ? error : new UnusableFolderError(path, readReason(error), error)
  }
  return folder
}

/** Why the data folder cannot be used. */
class UnusableFolderError extends Error {
  constructor(path: string, reason: string, cause?: unknown) {
    super(
      `${path} is ${reason}, so it cannot be used for data. Change that, or choose another folder with DOCENT_DATA.`,
      { cause },
    )
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'not open to the user of this process',
  EPERM: 'not open to the user of this process',
  EROFS: 'on a file system that can only be read',
  ENOTDIR: 'a file, or below one',
  EEXIST: 'a file, or below one',
  ENOSPC: 'on a full disk',
  ELOOP: 'a link in a circle',
  ENAMETOOLONG: 'a name that is too long',
}

function readReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reason = reasons[code]
  if (reason === undefined) throw error
  return reason
}

/** The 32 bytes of a secret key. Keys for different purposes are derived from them, so that no two uses share one. */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The configured or generated secret, or null. Generates none. */
export async function readSecretText(
  folder: DataFolder,
  { secretKey }: Partial<Pick<Settings, 'secretKey'>>,
): Promise<string | null> {
  if (secretKey !== undefined) return secretKey
  const known = (await readFile(folder.secretFile, 'utf8').catch(ignoreMissing))?.trim() ?? ''
  return known === '' ? null : known
}

/** 32 bytes for one purpose. */
export function deriveSecret(master: Buffer, purpose: string): Buffer {
  return hash('sha256', Buffer.concat([master, Buffer.from(`docent:${purpose}`)]), 'buffer')
}

/** Generates the secret key. It is written atomically; of two concurrent processes, one wins. */
export async function makeSecret({ secretFile }: DataFolder): Promise<string> {
  const staged = `${secretFile}.${process.pid}`
  await writeFile(staged, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
  // An empty file is left over from a crash.
  if ((await stat(secretFile).catch(ignoreMissing))?.size === 0) await rm(secretFile, { force: true })
  await link(staged, secretFile).catch(ignoreExisting)
  await rm(staged)
  return (await readFile(secretFile, 'utf8')).trim()
}

/** How commands on this machine reach the running server. */
export interface ServerAddress {
  url: string
  token: string
}

/** Renamed into place, so that a command never reads a partial file. */
export async function writeServerAddress({ serverFile }: DataFolder, address: ServerAddress): Promise<void> {
  await replaceFile(serverFile, JSON.stringify(address))
}

export async function removeServerAddress({ serverFile }: DataFolder): Promise<void> {
  await rm(serverFile, { force: true })
}

/** Null if no server has written one. The server may have died since. */
export async function readServerAddress({ serverFile }: DataFolder): Promise<ServerAddress | null> {
  const text = await readFile(serverFile, 'utf8').catch(ignoreMissing)
  return text === null ? null : (JSON.parse(text) as ServerAddress) // Written by `writeServerAddress`.
}

function ignoreMissing(error: unknown): null {
  if (hasCode(error, 'ENOENT')) return null
  throw error
}

function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'EEXIST')) throw error
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
