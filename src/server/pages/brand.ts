import type { BrandResource } from '../../contract/brand.ts'
import type { Brand } from '../../store/accounts/brands.ts'

/** Addresses of a brand's files, which name its version, so that browsers may keep them. */
export const brandPaths = {
  style: ({ organizationId, version }: Brand) => `/brand/${organizationId}/style.css?v=${version}`,
  logo: ({ organizationId, version }: Brand) => `/brand/${organizationId}/logo?v=${version}`,
}

export function describeBrand(brand: Brand | null): BrandResource {
  return { color: brand?.color ?? null, logo: brand?.hasLogo === true ? brandPaths.logo(brand) : null }
}

/**
 * The style sheet that gives a page a brand's color, for the dashboard and for served pages.
 *
 * The hue is that of the brand. Its lightness is bounded in each theme, so that it can be read on every ground of the
 * page, and so that white, or in the dark theme black, can be read on it.
 *
 * @param color Such as `#5b3bb0`.
 */
export function writeBrandStyle(color: string): string {
  const light = `oklch(from ${color} min(l, 0.47) min(c, 0.2) h)`
  const dark = `oklch(from ${color} max(l, 0.78) min(c, 0.15) h)`
  return `:root:root {
  --accent: light-dark(${light}, ${dark});
  --on-accent: light-dark(#fff, #0d1011);
}
`
}
