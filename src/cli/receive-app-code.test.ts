import { afterEach, beforeEach, expect, it } from 'vitest'
import { type AppCodeReceiver, readPastedCode, receiveAppCode } from './receive-app-code.ts'

let receiver: AppCodeReceiver
beforeEach(async () => {
  receiver = await receiveAppCode({
    formUrl: (state) => `https://github.com/settings/apps/new?state=${state}`,
    manifest: (redirectUrl) => ({ name: '"><script>', redirect_url: redirectUrl }),
  })
})
afterEach(() => receiver.stop())

const read = async (path = '') => {
  const response = await fetch(receiver.url + path)
  return { status: response.status, text: await response.text() }
}

/** The word that the form carries to GitHub, which sends it back. */
const readState = async () => /state=([\w-]+)"/.exec((await read()).text)?.[1] ?? ''

it('shows a form whose values cannot leave their place, and takes the code that comes back with its word', async () => {
  const { text } = await read()
  const value = /name="manifest" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&quot;', '"').replaceAll('&gt;', '>')
  expect(JSON.parse(value?.replaceAll('&lt;', '<') ?? '')).toEqual({
    name: '"><script>',
    redirect_url: `${receiver.url}made`,
  })
  expect(text).not.toContain('<script>')

  expect((await read(`made?code=abc&state=${await readState()}`)).status).toBe(200)

  expect(await receiver.code).toBe('abc')
})

it('does not take the code of an App that was not asked for here', async () => {
  const state = await readState()
  const refused = await Promise.all([
    read('made?code=theirs'),
    read('made?code=theirs&state=guessed'),
    read(`made?code=theirs&state=${state}x`),
    read(`made?code=&state=${state}`),
  ])

  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 404])
  await read(`made?code=ours&state=${state}`)
  expect(await receiver.code).toBe('ours')
})

it('reads a code that was pasted alone or with its address', () => {
  expect(readPastedCode(' abc123 \n')).toBe('abc123')
  expect(readPastedCode('http://127.0.0.1:1/made?code=abc123&state=x')).toBe('abc123')
  expect(readPastedCode('http://127.0.0.1:1/made')).toBe('')
})
