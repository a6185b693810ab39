import { sql, type SqlBool } from 'kysely'

/** Whether the text of a message holds another. */
export function holdsText(table: 'messages' | 'said', text: string) {
  return columnHoldsText(`${table}.text`, text)
}

/** Whether what people know a job by holds a text. */
export function jobHoldsText(text: string) {
  const columns = ['prompt', 'title', 'summary', 'branch'].map((column) => columnHoldsText(`agentJobs.${column}`, text))
  return sql<SqlBool>`(${sql.join(columns, sql` or `)})`
}

/** SQLite knows the case of ASCII letters only, so that other letters are found as they are written too. */
function columnHoldsText(name: string, text: string) {
  const column = sql.ref(name)
  const [given, lower] = [escapePattern(text), escapePattern(text.toLowerCase())]
  return sql<SqlBool>`(lower(${column}) like ${`%${lower}%`} escape '\\' or ${column} like ${`%${given}%`} escape '\\')`
}

/** The text as `like` finds it, with `escape '\'`. */
export function escapePattern(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`)
}
