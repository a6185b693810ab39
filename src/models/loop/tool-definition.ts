import type { z } from 'zod'
import type { JsonValue } from '../../contract/json.ts'

/** Something that a model may call. Plain data, so that a list of tools is all there is to configure. */
export interface ToolDefinition<Schema extends z.ZodObject = z.ZodObject> {
  /** Unique among the tools of one loop; letters, digits, `_` and `-`. */
  name: string
  /** For the model: what it does and when to use it. */
  description: string
  inputSchema: Schema
  /** What a model reads of one result, in characters of JSON; what is longer is cut. */
  resultCharsMax: number
  /**
   * A method, not a property, so that tools of different inputs fit one list.
   *
   * May reject: the loop gives an `AppError`'s sentence to the model and hides the text of any other error.
   */
  run(input: z.output<Schema>, signal: AbortSignal): Promise<JsonValue>
}
