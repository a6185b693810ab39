const plain = 'How do I connect a repository, and what does each of the settings do? '
/** Four bytes each, and rare enough that tokenizers know none of them whole. */
const rare = '𐀀𐎀𐠀𒀀𓀀𖠀𛀀𠀀'
/** The longest question that is taken. */
const questionCharsMax = 100_000
/** Every message counts, but no more than these are read. */
const historyMessages = 40

/** Requests of about so many bytes that cost whoever reads all of them, by what is large in them. */
export const expensiveQuestions: Readonly<Record<string, (bytes: number) => object>> = {
  question: (bytes) => ask(fill(plain, bytes)),
  'longest-question': () => ask(fill(plain, questionCharsMax)),
  'rare-characters': () => ask(fill(rare, questionCharsMax)),
  history: (bytes) => ask(plain, listHistory(fill(plain, bytes / historyMessages))),
  context: (bytes) => ({
    ...ask(plain),
    context: Array.from({ length: 20 }, () => ({ type: 'code', value: fill(plain, bytes / 20) })),
  }),
}

export function ask(text: string, history: readonly object[] = []): object {
  return { fp: 'anonymous', messages: [...history, message('user', text)] }
}

function listHistory(text: string): object[] {
  return Array.from({ length: historyMessages }, (_, index) => message(index % 2 === 0 ? 'user' : 'assistant', text))
}

function message(role: string, text: string): object {
  return { role, parts: [{ type: 'text', text }] }
}

/** @param chars UTF-16 units, as lengths of strings are counted. */
function fill(text: string, chars: number): string {
  return text.repeat(Math.ceil(chars / text.length)).slice(0, Math.floor(chars / 2) * 2)
}
