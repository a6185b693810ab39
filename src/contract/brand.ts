import { z } from 'zod'
import { colorSchema } from './color.ts'
import { readLogo } from './read-logo.ts'

/** How an organization shows itself in the dashboard, in widgets and on served pages. */
export const brandSchema = z
  .object({
    color: colorSchema.nullable().meta({ description: "Null: Docent's color." }),
    logo: z.string().nullable().meta({ description: 'Path of the image, or null.' }),
  })
  .meta({ id: 'Brand' })

export type BrandResource = z.output<typeof brandSchema>

/** Size of the file. Base64 takes a third more. */
const logoBytesMax = 32_768

/** Changes only what is given; null removes it. */
export const brandUpdateSchema = z
  .strictObject({
    color: colorSchema.nullable(),
    logo: z
      .string()
      .max(Math.ceil(logoBytesMax / 3) * 4, { error: `is larger than ${logoBytesMax / 1_024} KiB` })
      .transform((text, context) => {
        const logo = decodeBase64(text)
        if (logo !== null && readLogo(logo) !== null) return logo
        context.addIssue({ code: 'custom', message: 'is not a PNG or WebP image of 16 to 1024 pixels' })
        return z.NEVER
      })
      .nullable()
      .meta({ description: 'A PNG or WebP image of at most 32 KiB, in base64, with sides of 16 to 1024 pixels.' }),
  })
  .partial()
  .meta({ id: 'BrandUpdate' })

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}
