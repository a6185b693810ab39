import { chromium } from 'playwright-core'
import { homeSchema } from '../src/contract/home.ts'
import { insertMessages } from '../src/store/answers/messages.ts'
import { saveThreads } from '../src/store/answers/threads.ts'
import { sampleMessage, sampleSite, sampleThread } from '../test/store/store-samples.ts'
import { insertSite } from '../src/store/sites/sites.ts'
import { buildWeb } from '../test/support/build-web.ts'
import { setUpOwner } from '../test/support/open-dashboard.ts'
import { asAdmin } from '../test/support/pull-requests.ts'
import { type Docent, startDocent } from '../test/support/start-docent.ts'
import { chromiumArguments, findChromium } from '../test/wire/browser/find-chromium.ts'

// What Home costs the service with fifty sites, beside a small list, and when the browser paints it first, beside a page
// that Docent serves, which needs none.

const sitesCount = 50
const answersOfSite = 200

/** @param rounds Of each request and of each page. */
export async function benchHome(rounds: number): Promise<void> {
  await buildWeb()
  const docent = await startDocent()
  try {
    await seedSites(docent)
    await requireActivity(docent)
    const list = await measureCpu(docent, '/admin/v1/projects', rounds * 4)
    const home = await measureCpu(docent, '/admin/v1/home?days=7', rounds)
    console.log(
      `CPU of Home, ${sitesCount} sites of ${answersOfSite} answers: ${home.toFixed(1)} ms a request, ${(home / list).toFixed(1)} times a small list`,
    )
    await benchFirstPaint(docent, rounds)
  } finally {
    await docent.remove()
  }
}

async function seedSites({ service }: Docent): Promise<void> {
  const db = service.store.durable
  for (let index = 1; index < sitesCount; index++) {
    const site = sampleSite('default')
    await insertSite(db, site)
    const at = (answer: number) => Date.now() - answer * 3_600_000
    const threads = Array.from({ length: answersOfSite }, (_, each) =>
      sampleThread(site.id, { createdAt: at(each), updatedAt: at(each) }),
    )
    await saveThreads(db, threads)
    await insertMessages(
      db,
      threads.flatMap((thread) => {
        const { createdAt } = thread
        const question = sampleMessage(thread, { role: 'user', text: 'How do I install it?', verdict: null, createdAt })
        return [question, sampleMessage(thread, { questionId: question.id, createdAt: createdAt + 1 })]
      }),
    )
  }
}

/** An empty Home would cost nothing. */
async function requireActivity(docent: Docent): Promise<void> {
  const { sites } = homeSchema.parse(await (await docent.get('/admin/v1/home?days=7', asAdmin)).json())
  const asked = sites.filter(({ current }) => current.questions > 0).length
  if (asked < sitesCount - 1) throw new Error(`Home shows questions of ${asked} sites only.`)
}

/** CPU of this process, which is the service's, in milliseconds a request. */
async function measureCpu(docent: Docent, path: string, rounds: number): Promise<number> {
  const ask = async () => {
    const response = await docent.get(path, asAdmin)
    if (!response.ok) throw new Error(await response.text())
    await response.arrayBuffer()
  }
  for (let round = 0; round < 3; round++) await ask()
  const start = process.cpuUsage()
  for (let round = 0; round < rounds; round++) await ask()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000 / rounds
}

async function benchFirstPaint(docent: Docent, rounds: number): Promise<void> {
  const executablePath = findChromium()
  if (executablePath === null) return console.log('First paint: not measured, because there is no Chromium.')
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  try {
    const context = await browser.newContext({ storageState: await setUpOwner(docent) })
    const paint = async (path: string) => {
      const page = await context.newPage()
      await page.goto(docent.url + path, { waitUntil: 'networkidle' })
      const at = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN)
      await page.close()
      return at
    }
    const median = async (path: string) => {
      const times: number[] = []
      for (let round = 0; round < rounds; round++) times.push(await paint(path))
      return times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? NaN
    }
    const [still, home] = [await median('/sites/docs/search'), await median('/dashboard/default')]
    console.log(
      `First paint of Home: ${home.toFixed(0)} ms, ${(home / still).toFixed(1)} times a served page, median of ${rounds}`,
    )
  } finally {
    await browser.close()
  }
}
