import type { CodeHost } from '../../codehost/code-host.ts'
import { type FindForgeDeps, findForge } from '../../codehost/find-forge.ts'
import { type ForgeLocation, pageAddress, readForgeLocation } from '../../codehost/forge/forge-location.ts'
import { AppError } from '../../contract/app-error.ts'
import { forges, listForges } from '../../contract/code-hosts.ts'
import type { SourceCheck, SourceCheckStep } from '../../contract/source-check.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import type { SiteSource } from '../../store/sites/sites.ts'
import { reportDocumentation } from './describe-documentation.ts'
import { nameCommand } from '../../config/name-command.ts'

/** The source to check, whose forge may still be unknown. */
export interface AskedSource extends Omit<SiteSource, 'kind'> {
  kind?: SiteSource['kind'] | undefined
}

export interface CheckAccessDeps extends FindForgeDeps {
  /** Opens the host of a repository with the credential under test. */
  openHost(place: ForgeLocation): Promise<CodeHost>
  /** Whether there is a credential to check: a token, or an App on that forge. */
  hasCredential(place: ForgeLocation): Promise<boolean>
}

type State = SourceCheckStep['state']

/** A large repository takes longer to fetch than the person waiting for the check will wait. */
const documentationMsMax = 60_000

/**
 * Checks everything a site needs of its repository: finds the forge, tests each permission of the credential, looks up
 * the branch and reads the files. Changes nothing. If one step fails, the others are still checked where possible.
 */
export async function checkSourceAccess(
  deps: CheckAccessDeps,
  asked: AskedSource,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const steps: SourceCheckStep[] = []
  const note = (name: SourceCheckStep['name'], state: State, message: string, subject: string | null = null) =>
    void steps.push({ name, subject, state, message })
  const place = await findPlace(deps, asked, note, signal)
  if (place === null) return { source: null, canRead: false, canPropose: false, steps }
  const location = pageAddress(place)
  const needsOrigin = new URL(place.origin).pathname !== '/'
  const { ref, subdirectory } = asked
  const source: SiteSource = {
    kind: place.kind,
    location,
    ...(needsOrigin && { origin: place.origin }),
    ref,
    subdirectory,
  }
  const hasCredential = await deps.hasCredential(place)
  const host = await deps.openHost(place)
  const mayWrite = hasCredential ? await checkPermissions(host, note, signal) : noteMissing(place, note)
  const commit = await checkBranch(host, source, note, signal)
  const canRead = commit !== null && (await checkDocumentation(host, { source, commit }, note, signal))
  return { source, canRead, canPropose: canRead && mayWrite, steps }
}

type Note = (name: SourceCheckStep['name'], state: State, message: string, subject?: string | null) => void

async function findPlace(
  deps: CheckAccessDeps,
  asked: AskedSource,
  note: Note,
  signal: AbortSignal,
): Promise<ForgeLocation | null> {
  const { kind } = asked
  try {
    const place =
      kind === undefined ? await findForge(deps, asked.location, signal) : readForgeLocation({ ...asked, kind })
    if (place === null) {
      const what = `No ${listForges('or')} answers at this address.`
      note('host', 'failed', `${what} Check the address, or add it as a read-only git repository.`)
      return null
    }
    note(
      'host',
      'passed',
      `${new URL(place.origin).host} is a ${forges[place.kind].label}; the repository is ${place.path}.`,
    )
    return place
  } catch (error) {
    note('host', 'failed', explain(error))
    return null
  }
}

function noteMissing({ kind }: ForgeLocation, note: Note): boolean {
  const app = kind === 'github' ? `, or register a GitHub App: ${nameCommand('github-app create')}` : ''
  note(
    'credential',
    'warning',
    `No credential is stored: the repository is read as public, without pull requests. Enter a token${app}.`,
  )
  return false
}

/** @returns Whether the agent can push and open pull requests. */
async function checkPermissions(host: CodeHost, note: Note, signal: AbortSignal): Promise<boolean> {
  const checks = await host.checkAccess(signal)
  for (const { permission, state, message } of checks) {
    const shown = { granted: 'passed', missing: 'warning', unknown: 'skipped' } as const
    note('permission', shown[state], message, permission)
  }
  return checks.every(({ state }) => state !== 'missing')
}

/** @returns The commit that the site is read from; null if there is none. */
async function checkBranch(
  host: CodeHost,
  { ref }: SiteSource,
  note: Note,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const { branch, commit } = await host.resolveBranch(ref, signal)
    note('branch', 'passed', `The branch ${branch} is at ${commit.slice(0, 12)}.`)
    return commit
  } catch (error) {
    note('branch', 'failed', explain(error))
    return null
  }
}

/** @returns Whether the files are readable, as far as was checked. */
async function checkDocumentation(
  host: CodeHost,
  { source, commit }: { source: SiteSource; commit: string },
  note: Note,
  signal: AbortSignal,
): Promise<boolean> {
  const timeout = AbortSignal.timeout(documentationMsMax)
  try {
    const paths = await listFiles(host, { source, commit }, AbortSignal.any([signal, timeout]))
    reportDocumentation(paths, source, (state, message) => note('documentation', state, message))
    return true
  } catch (error) {
    if (timeout.aborted && !signal.aborted) {
      note('documentation', 'skipped', 'The repository is large, so its files are checked during the sync.')
      return true
    }
    note('documentation', 'failed', explain(error))
    return false
  }
}

async function listFiles(
  host: CodeHost,
  { source, commit }: { source: SiteSource; commit: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const base = await host.openBase(commit, signal)
  try {
    const { subdirectory } = source
    const tree = await openCommitTree({ repository: base.gitDirectory, ref: commit, subdirectory }, signal)
    tree.close()
    return tree.paths
  } finally {
    await base.close()
  }
}

/** Failures of this machine are not a step of the source. */
function explain(error: unknown): string {
  if (error instanceof AppError) return error.message
  throw error
}
