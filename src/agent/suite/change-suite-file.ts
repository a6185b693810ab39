import { posix } from 'node:path'
import { maskSecrets } from '../../base/mask-secrets.ts'
import type { CodeHost, PullRequest } from '../../codehost/code-host.ts'
import { findSuiteFile, suiteFileName } from '../../content/suite/find-suite.ts'
import { changeSuite } from '../../content/suite/write-suite.ts'
import { AppError } from '../../contract/app-error.ts'
import type { SuiteChange } from '../../contract/suite.ts'
import { commitOverlay } from '../../git/overlay/commit-overlay.ts'
import { Overlay } from '../../git/overlay/overlay.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import type { Site } from '../../store/sites/sites.ts'
import { withLease } from '../../store/with-lease.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { author } from '../rounds/merge-base.ts'
import { escapeLine, writePlainLine } from '../change/escape-line.ts'

type Deps = Pick<AgentRequestDeps, 'store' | 'clock' | 'ids' | 'openHost' | 'scratchFolder' | 'checks'>

const timeMsMax = 60_000
const lineCharsMax = 200

/**
 * Changes a site's tests in a pull request, or adds to the open one. The suite has no other store: only the merge makes
 * the change count.
 *
 * @throws {AppError} `no_repository`, `conflict` if the file cannot be changed so, `invalid_request` for secrets.
 */
export async function changeSuiteFile(
  deps: Deps,
  site: Site,
  change: SuiteChange,
  aborted: AbortSignal,
): Promise<PullRequest> {
  const host = await deps.openHost(site)
  if (host === null) {
    throw new AppError(
      'no_repository',
      `The source of ${site.slug} takes no pull requests. Edit ${suiteFileName} there.`,
    )
  }
  const signal = AbortSignal.any([aborted, AbortSignal.timeout(timeMsMax)])
  const lease = { name: `suite:${site.id}`, signal }
  return withLease(deps, lease, (held) => writePullRequest(deps, { site, host, change }, held))
}

interface ChangeInput {
  site: Site
  host: CodeHost
  change: SuiteChange
}

async function writePullRequest(deps: Deps, input: ChangeInput, signal: AbortSignal): Promise<PullRequest> {
  const { site, host, change } = input
  const branch = `docent/tests-${site.slug}`
  const base = await host.resolveBranch(site.source.ref, signal)
  const before = await host.findPullRequest({ branch }, signal)
  const isOpen = before?.state === 'open'
  // The branch of an ended pull request is used again, from the current base.
  const tip = await host.resolveBranch(branch, signal).catch(ignoreMissing)
  const from = isOpen && tip !== null ? tip.commit : base.commit
  const commit = await writeCommit(deps, { ...input, from }, signal)
  const pushed = await host.pushBranch({ branch, commit, expected: tip?.commit ?? null }, signal)
  if (pushed.outcome === 'moved') {
    throw new AppError('conflict', `Someone else changed the branch ${branch} meanwhile. Try again.`)
  }
  const done = `- ${describeChange(change)}`
  return host.openPullRequest(
    {
      branch,
      base: base.branch,
      title: isOpen ? before.title : 'Change the tests of the documentation',
      body: isOpen ? `${before.body}\n${done}` : `Changes \`${suiteFileName}\`, as asked in the dashboard:\n\n${done}`,
      isDraft: false,
      jobId: null,
      checks: [],
    },
    signal,
  )
}

function ignoreMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid_request') return null
  throw error
}

/** Nothing is pushed that the walls refuse: the commit itself is looked at, as those of jobs are. */
async function writeCommit(deps: Deps, input: ChangeInput & { from: string }, signal: AbortSignal): Promise<string> {
  const { site, host, change, from } = input
  const base = await host.openBase(from, signal)
  const { gitDirectory } = base
  try {
    const tree = await openCommitTree({ repository: gitDirectory, ref: from, subdirectory: '' }, signal)
    try {
      const folder = posix.normalize(`/${site.source.subdirectory}`).slice(1).replace(/\/$/, '')
      const path = findSuiteFile(tree.paths, folder) ?? posix.join(folder, suiteFileName)
      const isNew = tree.find(path) === null
      const text = isNew ? null : new TextDecoder('utf-8', { fatal: true }).decode(await tree.read(path))
      const overlay = new Overlay(tree)
      await overlay.write(path, new TextEncoder().encode(changeSuite(text, change)))
      const message = writePlainLine(maskSecrets(describeChange(change)), lineCharsMax)
      const location = { gitDirectory, overlay, subdirectory: '', scratchFolder: deps.scratchFolder, base: from }
      const made = await commitOverlay({ ...location, author: { ...author, at: deps.clock.now() }, message }, signal)
      await refuseForbidden(deps, { gitDirectory, from, commit: made.commit, path }, signal)
      return made.commit
    } finally {
      tree.close()
    }
  } finally {
    await base.close()
  }
}

async function refuseForbidden(
  { checks }: Deps,
  { path, from, ...place }: { gitDirectory: string; from: string; commit: string; path: string },
  signal: AbortSignal,
): Promise<void> {
  const request = {
    ...place,
    from,
    baseCommit: from,
    subdirectory: '',
    jobId: '',
    mayDelete: false,
    allowed: [`/${path}`],
  }
  const [problem] = await checks.findForbiddenInCommit(request, signal)
  if (problem !== undefined) throw new AppError('invalid_request', `The test was not written. ${problem.message}`)
}

function describeChange(change: SuiteChange): string {
  const words = { add: 'Test', replace: 'Change the test of', remove: 'No longer test' } as const
  const { question } = change.kind === 'add' ? change.test : change.of
  return `${words[change.kind]}: ${escapeLine(question, lineCharsMax)}`
}
