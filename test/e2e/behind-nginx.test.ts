import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keyCreatedSchema } from '../../src/contract/admin.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { createGatedModel, type GatedModel } from '../support/gated-model.ts'
import { assistantKey, type Docent, startDocent } from '../support/start-docent.ts'
import { hasNginx, startNginx } from '../support/start-nginx.ts'

if (!hasNginx) process.stderr.write('Skipped: behind nginx. Install nginx to run it.\n')

describe.skipIf(!hasNginx)('behind nginx with the sample configuration', () => {
  let model: GatedModel
  let docent: Docent
  let nginx: Awaited<ReturnType<typeof startNginx>>

  beforeEach(async () => {
    model = createGatedModel()
    docent = await startDocent({ model, env: { DOCENT_TRUST_PROXY: '1' } })
    nginx = await startNginx(docent.url)
  })
  afterEach(async () => {
    model.open()
    await nginx.stop()
    await docent.remove()
  })

  const ask = (key = assistantKey, headers: Record<string, string> = {}) =>
    fetch(`${nginx.url}/discovery/v2/assistant/docs/message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
      body: JSON.stringify({
        fp: 'anonymous',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'What does the error E-42 mean?' }] }],
      }),
    })

  it('passes an answer on as it is written', async () => {
    const response = await ask()
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('first ')) text += (await reader?.read())?.value ?? ''

    expect(text).not.toContain('second.')
    model.open()
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) text += piece.value

    expect(text).toContain('second.')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('tells the address of the client, whatever the client claims', async () => {
    model.open()
    const makeKey = async (range: string) => {
      const made = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', {
        kind: 'assistant',
        name: range,
        siteId: 'docs',
        ipRanges: [range],
      })
      return keyCreatedSchema.parse(made.body).secret
    }
    const claim = { 'x-forwarded-for': '203.0.113.9' }

    const own = await ask(await makeKey('127.0.0.1/32'), claim)
    const claimed = await ask(await makeKey('203.0.113.0/24'), claim)
    await Promise.all([own.text(), claimed.text()])

    expect([own.status, claimed.status]).toEqual([200, 403])
  })
})
