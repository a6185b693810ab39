import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { writeBrandStyle } from '../../src/server/pages/brand.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { cheapPasswords } from '../support/member-browser.ts'
import { openWindow, setUpOwner } from '../support/open-dashboard.ts'
import { closeWindows } from '../support/share-browser.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'
import { findChromium, missingChromium } from '../wire/browser/find-chromium.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const hasChromium = findChromium() !== null
if (!hasChromium) process.stderr.write(`Skipped: the colors of a brand. ${missingChromium}\n`)

let docent: Docent
beforeAll(async () => {
  docent = await startDocent({ passwordCost: cheapPasswords })
})
afterAll(async () => {
  await closeWindows()
  await docent.remove()
})

const change = (brand: object) => sendAsAdmin(docent, 'PATCH', '/admin/v1/brand', brand)
const logo = makePng(32).toString('base64')

it('shares the color and the logo of the organization with widgets, served pages and the dashboard', async () => {
  const plain = await (await docent.get('/sites/docs')).text()
  const saved = await change({ color: '#5b3bb0', logo })
  const page = await docent.get('/sites/docs', { accept: 'text/html' })
  const html = await page.text()
  const session = await (await docent.get('/auth/session')).json()
  const setup = await (await docent.get('/widget/settings/docs')).json()
  const [style = ''] = /\/brand\/default\/style\.css\?v=\w+/.exec(html) ?? []
  const [image = ''] = /\/brand\/default\/logo\?v=\w+/.exec(html) ?? []
  const sent = await docent.get(image)

  expect(plain).not.toContain('/brand/')
  expect(saved).toMatchObject({ status: 200, body: { color: '#5b3bb0', logo: image } })
  expect(await (await docent.get(style)).text()).toBe(writeBrandStyle('#5b3bb0'))
  expect(Buffer.from(await sent.arrayBuffer()).toString('base64')).toBe(logo)
  expect(Object.fromEntries(sent.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'cache-control': expect.stringContaining('immutable'),
  })
  expect(session).toMatchObject({ brand: { color: '#5b3bb0', logo: image } })
  expect(setup).toMatchObject({ settings: { accentLight: '#5b3bb0' } })
})

it('keeps the color of a widget that has one of its own, and drops what is removed', async () => {
  await change({ color: '#5b3bb0', logo })
  await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs/widget', { accentLight: '#aa0000' })
  const own = await (await docent.get('/widget/settings/docs')).json()
  await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs/widget', { accentLight: null })
  await change({ color: null })
  const after = await change({ logo: null })

  expect(own).toMatchObject({ settings: { accentLight: '#aa0000' } })
  expect(after.body).toEqual({ color: null, logo: null })
  expect((await docent.get('/brand/default/logo')).status).toBe(404)
  expect(await (await docent.get('/brand/default/style.css')).text()).toBe('')
})

it.each([
  ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
  ['a huge picture', makePng(4_000).toString('base64')],
  ['a file over 32 KiB', 'A'.repeat(50_000)],
  ['no base64', '<script>'],
])('refuses %s as a logo', async (_, given) => {
  const { status, body } = await change({ logo: given })

  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect((await docent.get('/brand/default/logo')).status).toBe(404)
})

it.skipIf(!hasChromium)('keeps text readable whatever the color is', async () => {
  const { page } = await openWindow({ storageState: await setUpOwner(docent) })
  await page.goto(`${docent.url}/dashboard/default/components`)
  await page.getByText('Primary').or(page.getByText('Add a page')).first().waitFor()
  const hues = Array.from({ length: 24 }, (_, index) => index * 15)
  const colors = ['#000000', '#ffffff', '#808080', '#ffd400', '#0b6672']
  for (const hue of hues) for (const light of [10, 50, 90]) colors.push(toHex(hue, light))

  const worst = await page.evaluate(
    async (sheets) => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
      if (canvas === null) throw new Error('There is no canvas.')
      const luminance = (color: string) => {
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((each) => {
          const part = each / 255
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const probe = document.body.appendChild(document.createElement('i'))
      const read = (name: string) => {
        probe.style.color = `var(${name})`
        return luminance(getComputedStyle(probe).color)
      }
      const pairs = [
        ['--accent', '--page'],
        ['--accent', '--surface'],
        ['--accent', '--raised'],
        ['--accent', '--hover'],
        ['--accent', '--accent-soft'],
        ['--on-accent', '--accent'],
        ['--on-accent', '--accent-strong'],
      ] as const
      const found: { ratio: number; sheet: string; theme: string; pair: string }[] = []
      for (const sheet of sheets) {
        const style = new CSSStyleSheet()
        await style.replace(sheet)
        document.adoptedStyleSheets = [style]
        for (const theme of ['light', 'dark']) {
          document.documentElement.dataset['theme'] = theme
          for (const pair of pairs) {
            const [a, b] = [read(pair[0]), read(pair[1])]
            found.push({ ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), sheet, theme, pair: pair.join(' ') })
          }
        }
      }
      return found.toSorted((a, b) => a.ratio - b.ratio)[0]
    },
    colors.map((color) => writeBrandStyle(color)),
  )

  expect(worst?.ratio).toBeGreaterThanOrEqual(4.5)
})

function toHex(hue: number, light: number): string {
  const chroma = (Math.min(light, 100 - light) / 100) * 1
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (light / 100 - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
      .toString(16)
      .padStart(2, '0')
  }
  return `#${part(0)}${part(8)}${part(4)}`
}

/** A square in one color. */
function makePng(side: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const [length, sum, named] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(name, 'latin1'), data])]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((side + 1) * side, 0))
  const parts = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), ...parts])
}
