import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { brokenAnswerMessage } from '../../src/server/streams/run-source.ts'
import { closeWindows, shareBrowser } from '../support/share-browser.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from './browser/find-chromium.ts'
import { servePages, type PageServer } from './browser/serve-pages.ts'
import { answerText } from './scripted-answers.ts'
import {
  firstThreadId,
  refusalBody,
  scriptedQuestions,
  startScriptedServer,
  type ScriptedServer,
} from './scripted-server.ts'
import { waitUntil } from './wire-client.ts'

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: useChat in a browser. ${missingChromium}\n`)

describe.skipIf(!hasChromium)('useChat in a browser, from another origin', () => {
  let pages: PageServer
  let server: ScriptedServer
  let page: Page

  beforeAll(async () => {
    pages = await servePages()
  }, 60_000)
  afterAll(async () => {
    await closeWindows()
    await pages?.close()
  })
  beforeEach(async () => {
    server = await startScriptedServer()
    // A window of its own, because browsers keep what a preflight allowed.
    page = await (await shareBrowser()).newPage()
    page.setDefaultTimeout(50_000)
  })
  afterEach(async () => {
    await page.close()
    await server.close()
  })

  const readState = () => page.evaluate(() => window.chatState)
  const ask = (text: string) => page.evaluate((text) => window.chatActions.ask(text), text)
  const settle = (answers: number) =>
    page.waitForFunction(
      (count) => /ready|error/.test(window.chatState.status) && window.chatState.answers.length >= count,
      answers,
    )

  describe.each([
    { name: 'page-v4', version: 'v1', places: ['data', 'annotations', 'header'] },
    { name: 'page-v7', version: 'v2', places: ['metadata', 'onData', 'header'] },
  ] as const)('$name', ({ name, version, places }) => {
    beforeEach(async () => {
      await page.goto(pages.url(name, server.url(version)))
      await page.waitForFunction(() => window.chatActions !== undefined)
    })

    it('asks first whether it may, then shows two answers and reads the thread id everywhere [browser-cors] [client-thread]', async () => {
      await ask(scriptedQuestions.full)
      await settle(1)
      await ask('And then?')
      await settle(2)

      const state = await readState()
      expect(state).toMatchObject({ status: 'ready', error: null, answers: [answerText, answerText] })
      expect(state.threadIds).toEqual(Object.fromEntries(places.map((place) => [place, firstThreadId])))
      expect(server.requests.map(({ method }) => method)).toEqual(['OPTIONS', 'POST', 'POST'])
      expect(server.requests[0]?.headers['access-control-request-headers']).toContain('authorization')
    })

    it('shows the body of an HTTP error, which CORS headers make readable [browser-cors] [client-http-error]', async () => {
      await ask(scriptedQuestions.refused)
      await page.waitForFunction(() => window.chatState.status === 'error')

      expect((await readState()).error).toBe(JSON.stringify(refusalBody))
    })

    it('shows the sentence of a failure in mid-stream [client-stream-error]', async () => {
      await ask(scriptedQuestions.failing)
      await page.waitForFunction(() => window.chatState.status === 'error')

      expect(await readState()).toMatchObject({ error: brokenAnswerMessage, answers: ['partial '] })
    })

    it('stops, and the server sees it [client-stop]', async () => {
      await ask(scriptedQuestions.endless)
      await page.waitForFunction(() => window.chatState.answers[0]?.includes('and '))
      await page.evaluate(() => window.chatActions.stop())
      await settle(1)
      await waitUntil(() => server.outcomes.length === 1)

      expect(await readState()).toMatchObject({ status: 'ready', error: null })
      expect(server.outcomes).toEqual(['disconnected'])
    })
  })

  describe('and the whole product', () => {
    let docent: Docent
    beforeAll(async () => {
      docent = await startDocent()
    })
    afterAll(() => docent.remove())

    it.each([
      { name: 'page-v4', version: 'v1' },
      { name: 'page-v7', version: 'v2' },
    ] as const)('shows $name two answers in one thread', async ({ name, version }) => {
      const url = `${docent.url}/discovery/${version}/assistant/docs/message`
      await page.goto(pages.url(name, url, assistantKey))
      await page.waitForFunction(() => window.chatActions !== undefined)

      await ask('What does the error E-42 mean?')
      await settle(1)
      await ask('What is the limit of tickets per sale?')
      await settle(2)

      const { status, error, answers, threadIds } = await readState()
      expect({ status, error }).toEqual({ status: 'ready', error: null })
      expect(answers[0]).toContain('The code `E-42` means that the paper has run out.')
      expect(answers[1]).toContain('20')
      for (const id of Object.values(threadIds)) expect(id).toMatch(/^[0-9A-Z]{26}$/)
    })
  })

  it('may send headers that the page adds, User-Agent among them [cors-preflight]', async () => {
    await page.goto(pages.url('page-v7', server.url('v2')))

    const text = await page.evaluate(async (url) => {
      const headers = {
        Authorization: 'Bearer svc_dsc_test',
        'Content-Type': 'application/json',
        'User-Agent': 'ai/5',
        'X-Page': '1',
      }
      const body = JSON.stringify({ fp: 'a', messages: [{ role: 'user', parts: [{ type: 'text', text: 'q' }] }] })
      const response = await fetch(url, { method: 'POST', headers, body })
      return response.text()
    }, server.url('v2'))

    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    expect(server.requests[0]?.headers['access-control-request-headers']).toContain('x-page')
  })
})

it('answers a preflight that asks for user-agent, over HTTP [cors-preflight]', async () => {
  const server = await startScriptedServer()

  const response = await fetch(server.url('v2'), {
    method: 'OPTIONS',
    headers: {
      origin: 'https://docs.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,user-agent',
    },
  })
  await server.close()

  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('https://docs.example.com')
  expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('user-agent')
})
