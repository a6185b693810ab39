import type { Db, Row } from '../schema.ts'

export type Brand = Omit<Row<'brands'>, 'logo'> & { hasLogo: boolean }

/** @param of An organization by its id, or by the id of one of its projects. Null if it has no brand. */
export async function getBrand(db: Db, of: { organizationId: string } | { projectId: string }): Promise<Brand | null> {
  const project = 'projectId' in of ? of.projectId : null
  const organization = 'organizationId' in of ? of.organizationId : null
  const row = await db
    .selectFrom('brands')
    .select(['organizationId', 'color', 'version'])
    .select((read) => read('logo', 'is not', null).as('hasLogo'))
    .where((where) =>
      organization === null
        ? where('organizationId', 'in', (select) =>
            select
              .selectFrom('projects')
              .select('projects.organizationId')
              .where('projects.id', '=', project ?? ''),
          )
        : where('organizationId', '=', organization),
    )
    .executeTakeFirst()
  return row === undefined ? null : { ...row, hasLogo: Boolean(row.hasLogo) }
}

export async function getLogo(db: Db, organizationId: string): Promise<Uint8Array | null> {
  const row = await db
    .selectFrom('brands')
    .select('logo')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return row?.logo == null ? null : Buffer.from(row.logo, 'base64')
}

export interface BrandChange {
  version: string
  color?: string | null | undefined
  logo?: Uint8Array | null | undefined
}

/** Stores what is given of a brand and keeps the rest; null removes it. */
export async function changeBrand(
  db: Db,
  organizationId: string,
  { version, color, logo }: BrandChange,
): Promise<void> {
  const change = {
    version,
    ...(color !== undefined && { color }),
    ...(logo !== undefined && { logo: logo && Buffer.from(logo).toString('base64') }),
  }
  await db
    .insertInto('brands')
    .values({ organizationId, color: null, logo: null, ...change })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(change))
    .execute()
}
