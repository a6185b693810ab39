import { sql, type SqlBool } from 'kysely'

/** Whether a message contains the text. */
export function containsText(table: 'messages' | 'said', text: string) {
  return columnContains(`${table}.text`, text)
}

/** Whether a job's prompt, title, summary or branch contains the text. */
export function jobContains(text: string) {
  const columns = ['prompt', 'title', 'summary', 'branch'].map((column) => columnContains(`agentJobs.${column}`, text))
  return sql<SqlBool>`(${sql.join(columns, sql` or `)})`
}

/** SQLite folds ASCII letters only, so the text is also matched as given. */
export function columnContains(name: string, text: string) {
  const column = sql.ref(name)
  const [given, lower] = [escapeLike(text), escapeLike(text.toLowerCase())]
  return sql<SqlBool>`(lower(${column}) like ${`%${lower}%`} escape '\\' or ${column} like ${`%${given}%`} escape '\\')`
}

/** Escapes a text for `like … escape '\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}
