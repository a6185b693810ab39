import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readGithubRequest } from '../../../test/support/github-requests.ts'
import { githubOperations } from './github-operations.ts'
import { githubApiBase } from './github-request.ts'

it.each([
  ['https://github.com', 'https://api.github.com'],
  ['https://acme.ghe.com', 'https://api.acme.ghe.com'],
  ['https://github.example.com', 'https://github.example.com/api/v3'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/api/v3'],
  ['https://notgithub.com', 'https://notgithub.com/api/v3'],
])('the interface of %s lies at %s', (origin, base) => {
  expect(githubApiBase(origin)).toBe(base)
})

it('every operation used is in GitHub’s own description', async () => {
  const file = new URL('../../../test/fixtures/github/openapi-subset.json', import.meta.url)
  // Written by our own script.
  const { operations } = JSON.parse(await readFile(file, 'utf8')) as { operations: object }

  expect(Object.keys(operations).toSorted()).toEqual(Object.keys(githubOperations).toSorted())
})

it.each([
  ['POST', '/repos/a/b/pulls', '{"head":"x"}', /must have required property 'base'/],
  ['POST', '/repos/a/b/git/trees', '{"tree":[{"mode":"644"}]}', /must be equal to one of the allowed values/],
  ['POST', '/repos/a/b/git/trees', '', /the body is missing/],
  ['PATCH', '/repos/a/b/pulls/one', '{}', /"pull_number" data\/value must be integer/],
  ['PATCH', '/repos/a/b/pulls/1', '{"draft":true}', /unknown "draft"/],
  ['GET', '/repos/a/b/pulls?per_page=x', '', /"per_page" data\/value must be integer/],
  ['GET', '/repos/a/b/pulls?branch=x', '', /no query "branch"/],
])('what GitHub would not take is seen: %s %s %s', (method, address, body, fault) => {
  const { pathname: path, searchParams: query } = new URL(address, 'https://api.github.com')

  expect(readGithubRequest({ method, path, query, body })?.faults.join('; ')).toMatch(fault)
})
