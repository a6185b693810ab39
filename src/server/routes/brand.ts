import { AppError } from '../../contract/app-error.ts'
import { readLogo } from '../../contract/read-logo.ts'
import { type Brand, getBrand, getLogo } from '../../store/accounts/brands.ts'
import type { AppContext, DocentServer } from '../app-env.ts'
import { writeBrandStyle } from '../pages/brand.ts'
import { imageHeaders } from '../pages/page-headers.ts'
import type { ServerDeps } from '../server-deps.ts'

/** The files of an organization's brand. Everybody may see them, as they see the pages that show them. */
export function addBrandFiles(app: DocentServer, { store }: Pick<ServerDeps, 'store'>): void {
  const find = (c: AppContext) => getBrand(store.durable, { organizationId: c.req.param('organization') ?? '' })

  // The dashboard names no version, and an organization without a brand has an empty sheet.
  app.get('/brand/:organization/style.css', async (c) => {
    const brand = await find(c)
    const etag = `"${brand?.version ?? 'none'}"`
    const headers = {
      'Content-Type': 'text/css; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': cacheControl(c, brand),
      ETag: etag,
    }
    if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
    return c.body(brand?.color == null ? '' : writeBrandStyle(brand.color), 200, headers)
  })

  app.get('/brand/:organization/logo', async (c) => {
    const brand = await find(c)
    const bytes = brand === null ? null : await getLogo(store.durable, brand.organizationId)
    const logo = bytes === null ? null : readLogo(bytes)
    if (bytes === null || logo === null) throw new AppError('not_found', 'This organization has no logo.')
    const headers = { ...imageHeaders, 'Content-Type': logo.type, 'Cache-Control': cacheControl(c, brand) }
    return c.body(new Uint8Array(bytes), 200, headers)
  })
}

function cacheControl(c: AppContext, brand: Brand | null): string {
  return c.req.query('v') === brand?.version ? 'public, max-age=31536000, immutable' : 'no-cache'
}
