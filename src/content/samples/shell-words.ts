/** A word of a command, without its quotes. */
export interface ShellWord {
  text: string
  isQuoted: boolean
}

export interface ShellCommand {
  words: ShellWord[]
  /** Line of its first word within the script, from 0. */
  line: number
}

const piece = /\\\r?\n|\n|[ \t]+|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\.|\|\||&&|[|;&<>]|#[^\n]*|[^\s'"\\|;&<>]+|['"]/g

/** Splits a script into its simple commands. Prompts before commands are dropped; nothing is expanded. Linear. */
export function readShellCommands(script: string): ShellCommand[] {
  const commands: ShellCommand[] = []
  let words: ShellWord[] = []
  let word: ShellWord | null = null
  let [line, start] = [0, 0]
  const endWord = () => {
    if (word !== null) words.push(word)
    word = null
  }
  const endCommand = () => {
    endWord()
    if (words[0] !== undefined && /^[$%>❯#]$/.test(words[0].text)) words = words.slice(1)
    if (words.length > 0) commands.push({ words, line: start })
    words = []
  }
  for (const [text] of script.matchAll(piece)) {
    if (/^\\\r?\n$|^[ \t]/.test(text) || (text.startsWith('#') && word === null)) endWord()
    else if (/^(?:\n|\|\|?|&&?|;)$/.test(text)) endCommand()
    else {
      if (words.length === 0 && word === null) start = line
      const bare: string = /^["']/.test(text) && text.length > 1 ? text.slice(1, -1) : text
      const before: ShellWord = word ?? { text: '', isQuoted: false }
      word = { text: before.text + bare, isQuoted: before.isQuoted || bare !== text }
    }
    line += text.split('\n').length - 1
  }
  endCommand()
  return commands
}
