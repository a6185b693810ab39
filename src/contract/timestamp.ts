import { z } from 'zod'

/**
 * A time in a reply, as ISO 8601 with milliseconds and `Z`. The service may give UTC milliseconds, as the database stores
 * them.
 */
export function timestamp(): z.ZodType<string, number | string> {
  const toIso = (time: unknown) => (typeof time === 'number' ? new Date(time).toISOString() : time)
  // `preprocess` takes anything, which would leave the values of handlers unchecked.
  return z.preprocess(toIso, z.iso.datetime()) as unknown as z.ZodType<string, number | string>
}
