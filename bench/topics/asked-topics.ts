import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { adminKey, startDocent } from '../../test/support/start-docent.ts'

export interface LabelledQuestion {
  id: string
  site: string
  topic: string
  text: string
  isHeldOut: boolean
  askedAt: number
  sections: string[]
  pages: string[]
}

const answerFolders: Readonly<Record<string, string>> = {
  docent: '../../docs',
  brindle: '../../test/answers/brindle/site',
}

/** Reads the sample, in which every other pair of topics is held out. */
export function readLabelledQuestions(): LabelledQuestion[] {
  const questions: LabelledQuestion[] = []
  let [site, topic, topics] = ['', '', -1]
  for (const line of readFileSync(join(import.meta.dirname, 'questions.txt'), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const name = /^(site|topic) (.+)$/.exec(line)
    if (name?.[1] === 'site') [site, topics] = [name[2] ?? '', -1]
    else if (name?.[1] === 'topic') [topic, topics] = [name[2] ?? '', topics + 1]
    else {
      const id = `q${String(questions.length).padStart(3, '0')}`
      const isHeldOut = Math.floor(topics / 2) % 2 === 1
      questions.push({
        id,
        site,
        topic: `${site}/${topic}`,
        text: line,
        isHeldOut,
        askedAt: questions.length,
        sections: [],
        pages: [],
      })
    }
  }
  return questions
}

/** Asks the questions of sites that are here, so that they carry the pages that their answers cite. */
export async function askLabelledQuestions(questions: readonly LabelledQuestion[]): Promise<void> {
  for (const [site, folder] of Object.entries(answerFolders)) {
    const docent = await startDocent({ demoFolder: join(import.meta.dirname, folder) })
    try {
      const found = new Map<string, { sections: string[]; pages: string[] }>()
      const own = questions.filter((question) => question.site === site)
      for (const { text } of own) {
        const messages = [{ role: 'user', parts: [{ type: 'text', text }] }]
        const reply = await docent.post('/discovery/v2/assistant/docs/message', { fp: 'bench', messages })
        await reply.text()
      }
      let cursor = ''
      do {
        const reply = await docent.get(`/admin/v1/insights/questions?limit=100${cursor}`, {
          authorization: `Bearer ${adminKey}`,
        })
        // The product's own reply.
        const { items, nextCursor } = (await reply.json()) as {
          items: { question: string; sources: { url: string }[]; triedPaths: string[] }[]
          nextCursor: string | null
        }
        for (const { question, sources, triedPaths } of items) {
          found.set(question, { sections: sources.map(({ url }) => url.replace(/:~:.*$/s, '')), pages: triedPaths })
        }
        cursor = nextCursor === null ? '' : `&cursor=${encodeURIComponent(nextCursor)}`
      } while (cursor !== '')
      for (const question of own) Object.assign(question, found.get(question.text))
    } finally {
      await docent.remove()
    }
  }
}
