import { execFileSync } from 'node:child_process'
import type { AgentJobResource } from '../../src/contract/agent-job.ts'

/** @param wanted Jobs by id, and what each was to set the description of the first page to. */
export function judgeJobs(jobs: readonly AgentJobResource[], wanted: ReadonlyMap<string, string>): string[] {
  const faults = jobs
    .filter(({ status, prLink }) => status !== 'completed' || prLink === null)
    .map(
      ({ id, status, failure }) =>
        `${id} ended ${status} (${failure?.code}: ${failure?.message}) or without a pull request`,
    )
  if (jobs.length !== wanted.size) faults.push(`${wanted.size} jobs were given and ${jobs.length} are there`)
  const links = new Set(jobs.map(({ prLink }) => prLink))
  if (links.size !== jobs.length) faults.push(`${jobs.length} jobs have ${links.size} pull requests`)
  return faults
}

/** One branch for each job, one commit on each, and on it the tree that the job would have made undisturbed. */
export function judgeBranches(
  gitDirectory: string,
  jobs: readonly AgentJobResource[],
  wanted: ReadonlyMap<string, string>,
): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', gitDirectory, ...args], { encoding: 'utf8' }).trim()
  const list = (...args: string[]) =>
    git('for-each-ref', ...args)
      .split('\n')
      .filter(Boolean)
  const branches = list('--format=%(refname:short)', 'refs/heads/docent')
  const faults = branches.length === jobs.length ? [] : [`${jobs.length} jobs have ${branches.length} branches`]
  for (const ref of list('--format=%(refname)', 'refs/pull'))
    if (!/^refs\/pull\/\d+\/head$/.test(ref)) faults.push(`${ref} is a strange ref`)
  const before = git('show', 'main:index.mdx')
  // A job keeps to the quotes of the value that it replaces.
  const quote = /^description: (["']?)/m.exec(before)?.[1] ?? ''
  for (const { id, branch } of jobs) {
    const commits = git('rev-list', '--count', `main..${branch}`)
    if (commits !== '1') faults.push(`${id} has ${commits} commits`)
    const changed = git('diff-tree', '-r', '--name-only', '--no-commit-id', 'main', branch)
    if (changed !== 'index.mdx') faults.push(`${id} changed ${changed}`)
    const page = before.replace(/^description: .*$/m, `description: ${quote}${wanted.get(id)}${quote}`)
    if (git('show', `${branch}:index.mdx`) !== page) faults.push(`${id} did not do what was asked`)
  }
  return faults
}
