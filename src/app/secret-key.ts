import type { Settings } from '../config/settings.ts'
import {
  firstStartName,
  getInstallationValue,
  setInstallationValue,
  setInstallationValueIfAbsent,
} from '../store/installation.ts'
import { openSecret, SealedSecretError, sealSecret } from '../store/sealed-secret.ts'
import type { Store } from '../store/store.ts'
import { type DataFolder, deriveSecret, hashSecret, makeSecret, readSecretText } from './data-folder.ts'
import { listSealedValues, opens } from './sealed-values.ts'

/** A value that is sealed with the secret key, so that another key is noticed. */
const checkName = 'secret-check'
const checkText = 'docent'

/** In its place after a restore without the key of the backup: the next start's key holds, whatever it is. */
const anyKey = 'any'

export interface SecretKeyDeps {
  store: Store
  folder: DataFolder
  settings: Pick<Settings, 'secretKey'>
}

/** The secret key is lost or another one. Starting with it would make what is stored unreadable without a word. */
class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

const waysOut =
  'If that key is lost: docent backup FILE, then docent restore --replace FILE. Docent then starts with the present key, but stored credentials, settings and webhooks must be set again.'

/**
 * The installation's secret: 32 bytes, made at the first start unless it is set.
 *
 * @throws {SecretKeyError} a sentence, when it is lost or is not the one that stored secrets were sealed with.
 */
export async function readMasterSecret(deps: SecretKeyDeps): Promise<Buffer> {
  const { store, folder, settings } = deps
  const text = await readSecretText(folder, settings)
  const check = await getInstallationValue(store.durable, checkName)
  const isInstalled = (await getInstallationValue(store.durable, firstStartName)) !== null
  if (text === null && isInstalled && check !== anyKey) throw lost(deps)
  const master = hashSecret(text ?? (await makeSecret(folder)))
  await requireRightKey(store, master, check)
  return master
}

/** As `readMasterSecret`, and makes and writes nothing. */
export async function checkSecretKey(deps: SecretKeyDeps): Promise<Buffer | null> {
  const { store, folder, settings } = deps
  const text = await readSecretText(folder, settings)
  const check = await getInstallationValue(store.durable, checkName)
  const isInstalled = (await getInstallationValue(store.durable, firstStartName)) !== null
  if (text === null) {
    if (isInstalled && check !== anyKey) throw lost(deps)
    return null
  }
  const master = hashSecret(text)
  if (check !== anyKey && !(await isRightKey(store, master, check))) throw wrong()
  return master
}

/** Has the next start take the secret key that it finds, for a database that was restored without its own. */
export function acceptAnySecretKey({ durable }: Store): Promise<void> {
  return setInstallationValue(durable, checkName, anyKey)
}

async function requireRightKey(store: Store, master: Buffer, check: string | null): Promise<void> {
  const key = deriveSecret(master, checkName)
  if (check !== null && opensCheck(key, check)) return
  if (check !== anyKey && !(await isRightKey(store, master, check))) throw wrong()
  const sealed = sealSecret(key, checkName, checkText)
  if (check !== null) return setInstallationValue(store.durable, checkName, sealed)
  if (await setInstallationValueIfAbsent(store.durable, checkName, sealed)) return
  // Of processes that start at the same time one wrote it, and all have to have its key.
  const written = await getInstallationValue(store.durable, checkName)
  if (written === null || !opensCheck(key, written)) throw wrong()
}

/** A database that is older than the check, or whose check is damaged, is judged by the secrets that it holds. */
async function isRightKey(store: Store, master: Buffer, check: string | null): Promise<boolean> {
  if (check !== null && opensCheck(deriveSecret(master, checkName), check)) return true
  const values = await listSealedValues(store, master)
  return values.length === 0 ? check === null : values.some(opens)
}

function opensCheck(key: Buffer, check: string): boolean {
  try {
    return openSecret(key, checkName, check) === checkText
  } catch (error) {
    if (error instanceof SealedSecretError) return false
    throw error
  }
}

function lost({ folder }: SecretKeyDeps): SecretKeyError {
  return new SecretKeyError(
    `The secret key of this installation is missing: put the file ${folder.secretFile} back, or set DOCENT_SECRET_KEY to its content. ${waysOut}`,
  )
}

function wrong(): SecretKeyError {
  return new SecretKeyError(
    `The secret key is not the one this installation was set up with: set DOCENT_SECRET_KEY, or the file secret-key in the data folder, to that one. ${waysOut}`,
  )
}
