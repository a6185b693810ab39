import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { hash } from 'node:crypto'
import type { Settings } from '../config/settings.ts'

/** Where things lie in the data folder. */
export interface DataFolder {
  path: string
  /** Index files of all sites. */
  indexes: string
  /** Copies of the git repositories that sites are read from. */
  mirrors: string
  /** Bare repositories of the built-in host. */
  repositories: string
  /** Parsed pages of all sites, kept between indexing runs. */
  parsed: string
  /** Vectors of the passages of all sites, kept between indexing runs. */
  vectors: string
  /** What was fetched of sites that are crawled, kept between indexing runs. */
  crawls: string
  /** Address and token of the running server, for commands on this machine. Mode 0600. */
  serverFile: string
}

/** Makes nothing, so that commands can look where an installation may be. */
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
    serverFile: join(path, 'server.json'),
  }
}

/** Makes the folder where it is missing. */
export async function openDataFolder(settings: Pick<Settings, 'dataFolder'>): Promise<DataFolder> {
  const folder = locateDataFolder(settings)
  await mkdir(folder.indexes, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * The installation's secret: 32 bytes out of the setting, or out of a file that is generated at the first start.
 *
 * Keys for different purposes are derived from it by `deriveSecret`, so that no two uses share one.
 */
export async function readMasterSecret(folder: DataFolder, settings: Pick<Settings, 'secretKey'>): Promise<Buffer> {
  const text = settings.secretKey ?? (await readOrMakeSecret(join(folder.path, 'secret-key')))
  return hash('sha256', text, 'buffer')
}

/** The secret as it is set or was generated; null where neither is. Makes none. */
export async function readSecretText(
  folder: DataFolder,
  { secretKey }: Partial<Pick<Settings, 'secretKey'>>,
): Promise<string | null> {
  if (secretKey !== undefined) return secretKey
  const known = await readFile(join(folder.path, 'secret-key'), 'utf8').catch(ignoreMissing)
  return known === null ? null : known.trim()
}

/** 32 bytes for one purpose. */
export function deriveSecret(master: Buffer, purpose: string): Buffer {
  return hash('sha256', Buffer.concat([master, Buffer.from(`docent:${purpose}`)]), 'buffer')
}

async function readOrMakeSecret(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(ignoreMissing)
  if (known !== null) return known.trim()
  const secret = randomBytes(32).toString('base64url')
  // `wx`: of two processes that make it at once, one wins and both use that one.
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' }).catch(ignoreExisting)
  return (await readFile(file, 'utf8')).trim()
}

/** How commands on this machine reach the running server. */
export interface ServerAddress {
  url: string
  token: string
}

/** Renamed into place, so that a command never reads half of it. */
export async function writeServerAddress({ serverFile }: DataFolder, address: ServerAddress): Promise<void> {
  const staged = `${serverFile}.${process.pid}`
  await writeFile(staged, JSON.stringify(address), { mode: 0o600 })
  await rename(staged, serverFile)
}

export async function removeServerAddress({ serverFile }: DataFolder): Promise<void> {
  await rm(serverFile, { force: true })
}

/** Null when no server has written one; the server of one that is there may be gone all the same. */
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
