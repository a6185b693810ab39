import { AppError } from '../../contract/app-error.ts'
import type { AccessCheck } from '../code-host.ts'
import { ForgeError } from '../forge/forge-error.ts'
import type { GithubApi } from './github-api.ts'
import { namePermission } from './github-operations.ts'
import { anySchema, repositorySchema } from './github-replies.ts'
import type { GithubCall } from './github-request.ts'

interface Probe {
  permission: string
  purpose: string
  call: GithubCall<unknown>
}

const nowhere = '0'.repeat(40)

/**
 * One request per permission. Writes are built to be rejected as invalid once the permission has been checked: a branch
 * that does not exist, a pull request from a branch to itself, a label with an invalid color.
 */
function chooseProbes(defaultBranch: string): Probe[] {
  return [
    {
      permission: 'contents=read',
      purpose: 'Needed to read the files.',
      call: {
        route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
        parameters: { ref: `heads/${defaultBranch}` },
        reply: anySchema,
      },
    },
    {
      permission: 'contents=write',
      purpose: "Needed to push the agent's branches.",
      call: {
        route: 'PATCH /repos/{owner}/{repo}/git/refs/{ref}',
        parameters: { ref: 'heads/docent/access-check', sha: nowhere, force: false },
        reply: anySchema,
      },
    },
    {
      permission: 'pull_requests=write',
      purpose: 'Needed to open and update pull requests.',
      call: {
        route: 'POST /repos/{owner}/{repo}/pulls',
        parameters: { head: defaultBranch, base: defaultBranch, title: 'Access check' },
        reply: anySchema,
      },
    },
    {
      permission: 'issues=write',
      purpose: 'Needed to write comments and labels on pull requests.',
      call: {
        route: 'POST /repos/{owner}/{repo}/labels',
        parameters: { name: 'docent', color: 'no color' },
        reply: anySchema,
      },
    },
  ]
}

/** Checks the credential without changing anything. Findings are returned, never thrown. */
export async function checkGithubAccess(api: GithubApi, path: string, signal: AbortSignal): Promise<AccessCheck[]> {
  const first = { permission: namePermission('metadata=read') }
  try {
    const call = { route: 'GET /repos/{owner}/{repo}', reply: repositorySchema } as const
    const repository = await api.call(call, signal)
    const isRenamed = repository.full_name.toLowerCase() !== path.toLowerCase()
    const message = isRenamed
      ? `The repository is now called ${repository.full_name}. Its former name ${path} works only until another repository takes it: change the address of the site's source.`
      : 'Needed to find the repository.'
    const checks: AccessCheck[] = [{ ...first, state: 'granted', message }]
    for (const probe of chooseProbes(repository.default_branch)) checks.push(await runProbe(api, probe, signal))
    return checks
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    const isPassing = error instanceof ForgeError && error.isPassing
    return [{ ...first, state: isPassing ? 'unknown' : 'missing', message: error.message }]
  }
}

async function runProbe(
  api: GithubApi,
  { permission, purpose, call }: Probe,
  signal: AbortSignal,
): Promise<AccessCheck> {
  const granted: AccessCheck = { permission: namePermission(permission), state: 'granted', message: purpose }
  try {
    await api.call(call, signal)
    return granted
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ForgeError)) throw error
    if (error.reason === 'invalid' || error.reason === 'conflict') return granted
    return { ...granted, state: error.isPassing ? 'unknown' : 'missing', message: error.message }
  }
}
