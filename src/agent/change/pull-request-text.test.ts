import { describe, expect, it } from 'vitest'
import type { FileDiff } from '../../git/commits/diff-commits.ts'
import {
  type PullRequestTextInput,
  writeBody,
  writeChecks,
  writeCommitMessage,
  writeTitle,
} from './pull-request-text.ts'

const file = (path: string): FileDiff => ({
  path,
  previousPath: null,
  kind: 'modified',
  blob: 'b'.repeat(40),
  additions: 3,
  deletions: 1,
  isBinary: false,
  patch: null,
})

const input = (change: Partial<PullRequestTextInput> = {}): PullRequestTextInput => ({
  jobId: 'job_1',
  model: 'docent/offline',
  prompt: 'Replace a by b.',
  work: { title: 'Replace a by b', summary: 'It is called b.', notDone: '' },
  files: [file('a.mdx')],
  problems: [],
  stop: null,
  conflicts: [],
  deletionsAllowedBy: null,
  template: null,
  ...change,
})

describe('the text of a pull request', () => {
  it('says what was asked, why, what changed, what was checked and what was not', () => {
    const body = writeBody(input())

    expect(body).toContain('> Replace a by b.')
    expect(body).toContain('It is called b.')
    expect(body).toContain('- `a.mdx`: modified, +3 −1')
    expect(body).toContain('**Checked:**')
    expect(body).toContain('**Not checked:**')
    expect(body).toContain('job `job_1`')
  })

  it('has at most 15 lines', () => {
    const problem = {
      rule: 'link-broken',
      path: 'a.mdx',
      line: 3,
      message: 'The link leads nowhere.',
      severity: 'block' as const,
    }
    const long = 'word '.repeat(500)
    const body = writeBody(
      input({
        prompt: `${long}\n\n${long}`,
        work: { title: long, summary: `${long}\n\n- a\n- b`, notDone: long },
        files: Array.from({ length: 90 }, (_, index) => file(`${index}.mdx`)),
        problems: Array.from({ length: 30 }, () => problem),
        stop: { code: 'budget_reached', message: 'The job has used its 60 steps.' },
        conflicts: ['a.mdx'],
      }),
    )

    expect(body.split('\n').length).toBeLessThanOrEqual(15)
    expect(body).toContain('and 86 more files')
    expect(body).toContain('30 problems are left')
    expect(body.length).toBeLessThan(6_000)
  })

  it('contains no images, mentions or secrets, whoever wrote its parts', () => {
    const evil =
      '![x](https://evil.example/a.png) <img src=x> @everyone [link](javascript:alert(1)) sk-abcdefghijklmnopqrstuvwx'

    const text = [
      writeBody(input({ prompt: evil, work: { title: evil, summary: evil, notDone: evil }, files: [file('a`b.mdx')] })),
      writeTitle(evil),
      writeCommitMessage({ jobId: 'job_1', work: { title: evil, summary: evil, notDone: '' } }),
    ]

    expect(text[0]).not.toMatch(/(?<!\\)!\[|(?<!\\)\]\(|<img|@everyone|https:\/\//)
    expect(text.join()).not.toContain('sk-abc')
  })

  it('is framed by the template of the repository', () => {
    const body = writeBody(
      input({ template: '<!-- note -->\n## What\n\nDescribe it.\n\n## Checklist\n- [ ] Read it\n' }),
    )

    expect(body).toMatch(/^<!-- note -->\n## What\n\n> Replace a by b\.[\s\S]*## Checklist\n- \[ \] Read it$/)
  })
})

it('cuts a title between words, below 70 characters', () => {
  const title = writeTitle('Explain how the spare roll of paper is put into the second drawer of the ticket machine.')

  expect(title).toBe('Explain how the spare roll of paper is put into the second drawer…')
  expect(title.length).toBeLessThan(70)
  expect(writeTitle('Short.\nReally.')).toBe('Short. Really')
})

it('makes titles and commit messages plain: nothing is mentioned, closed, linked, skipped or signed', () => {
  const evil =
    'fixes #1, closes acme/docs#2 and GH-3 !4 @admin <b>x</b> [skip ci] ***NO_CI*** https://evil.example\n\nSigned-off-by: a\nDocent-Job: other'

  const message = writeCommitMessage({ jobId: 'job_1', work: { title: evil, summary: evil, notDone: '' } })

  expect(message).not.toMatch(/#\d|GH-\d|!\d|@\w|[<>[\]]|\*{3}|:\/\/|^Signed-off-by|^Docent-Job: other/m)
  expect(message).toMatch(/\n\nDocent-Job: job_1$/)
})

it('counts one problem as one, without a file if it has none', () => {
  const problem = { rule: 'r', path: '', line: null, message: 'It is too large.', severity: 'block' as const }

  expect(writeBody(input({ problems: [problem] }))).toContain('**Checked, and 1 problem is left:** It is too large.')
})

it('names the job in a trailer of the commit', () => {
  expect(writeCommitMessage(input())).toBe('Replace a by b\n\nIt is called b.\n\nDocent-Job: job_1')
})

it('fails the check when a problem blocks, and warns of others', () => {
  const problem = { rule: 'r', path: 'a.mdx', line: 2, message: 'Mend it.', severity: 'warn' as const }

  expect(writeChecks([]).map(({ state }) => state)).toEqual(['passed'])
  expect(writeChecks([problem])).toEqual([{ name: 'Documentation', state: 'warning', summary: 'a.mdx:2: Mend it.' }])
  expect(writeChecks([problem, { ...problem, severity: 'block' }]).map(({ state }) => state)).toEqual(['failed'])
})
