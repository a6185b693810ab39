const storageName = 'docent-recent-commands'
const keptMax = 8

/** Ids of the commands used last, newest first. */
export function readRecentCommands(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageName) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, keptMax) : []
  } catch {
    return [] // Browsers may forbid storage, and what it contains may be damaged.
  }
}

/** Keeps only the id: names of conversations and members do not stay in the browser. */
export function rememberCommand(id: string): void {
  const ids = [id, ...readRecentCommands().filter((each) => each !== id)].slice(0, keptMax)
  try {
    localStorage.setItem(storageName, JSON.stringify(ids))
  } catch {
    // The list is a convenience.
  }
}
