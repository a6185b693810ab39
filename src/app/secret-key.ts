import type { Settings } from '../config/settings.ts'
import {
  firstStartName,
  getInstallationValue,
  setInstallationValue,
  setInstallationValueIfAbsent,
} from '../store/installation.ts'
import { openSecret, SealedSecretError, sealSecret } from '../store/sealed/sealed-secret.ts'
import type { Store } from '../store/store.ts'
import { type DataFolder, deriveSecret, hashSecret, makeSecret, readSecretText } from './data-folder.ts'
import { canOpen, listSealedValues } from './sealed-values.ts'

/** A value sealed with the secret key, so that a wrong key is detected. */
const checkName = 'secret-check'
const checkText = 'docent'

/** Stored instead after a restore without the backup's key: the next start accepts the key it finds. */
const anyKey = 'any'

export interface SecretKeyDeps {
  store: Store
  folder: DataFolder
  settings: Pick<Settings, 'secretKey'>
}

/** The secret key is lost or wrong. Starting anyway would silently make stored secrets unreadable. */
class SecretKeyError extends Error {
  override readonly name = 'SecretKeyError'
}

const waysOut =
  'If that key is lost: docent backup FILE, then docent restore --replace FILE. Docent then starts with the current key, but stored credentials, settings and webhooks must be set again.'

/**
 * The installation's secret: 32 bytes, generated at the first start unless set.
 *
 * @throws {SecretKeyError} a sentence, if it is lost or is not the one that stored secrets were sealed with.
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

/** Like `readMasterSecret`, but creates and writes nothing. */
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

/** Makes the next start accept the secret key it finds, for a database restored without its own. */
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
  // Of concurrently starting processes, one wrote it, and all need its key.
  const written = await getInstallationValue(store.durable, checkName)
  if (written === null || !opensCheck(key, written)) throw wrong()
}

/** If the check value is missing or damaged, the stored secrets decide. */
async function isRightKey(store: Store, master: Buffer, check: string | null): Promise<boolean> {
  if (check !== null && opensCheck(deriveSecret(master, checkName), check)) return true
  const values = await listSealedValues(store, master)
  return values.length === 0 ? check === null : values.some(canOpen)
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
