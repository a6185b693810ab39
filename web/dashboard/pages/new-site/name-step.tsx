import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../../ui/button.tsx'
import { Form, FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { StepHeading } from '../../../ui/steps.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { deleteRepository, importRepository } from '../../api/repositories.ts'
import { createSite, sitesQuery, type SourceInput } from '../../api/sites.ts'
import { isImported, readSiteCreate, type SiteForm } from './site-form.ts'

export interface NameStepProps {
  form: SiteForm
  /** As a site takes it. */
  source: SourceInput
  onChange(part: Partial<SiteForm>): void
  onBack(): void
  onCreated(slug: string): void
}

/** What the service says of other fields stands above them. */
const ownFields: ReadonlySet<string> = new Set(['name', 'slug', 'url'])

/** What the site is called; then it is made. */
export function NameStep({ form, source, onChange, onBack, onCreated }: NameStepProps) {
  const client = useQueryClient()
  const create = useMutation({
    mutationFn: () => makeSite(form, source),
    onSuccess: async ({ slug }) => {
      await client.invalidateQueries({ queryKey: sitesQuery.queryKey })
      onCreated(slug)
    },
  })
  const { error } = create
  const isOfField = error instanceof ApiError && error.details.some(({ path }) => ownFields.has(path))
  return (
    <Form isBusy={create.isPending} onSubmit={() => create.mutate()}>
      <StepHeading>What it is called</StepHeading>
      {error !== null && !isOfField ? <Notice tone="danger">{describeError(error)}</Notice> : null}
      <TextField
        label="Name"
        description="For people."
        required
        maxLength={200}
        value={form.name}
        onValueChange={(name) => onChange({ name })}
        error={describeFieldError(error, 'The name', 'name')}
      />
      <TextField
        label="Slug"
        description="Names the site in addresses: a-z, 0-9 and hyphens. It cannot be changed later."
        required
        maxLength={63}
        autoComplete="off"
        spellCheck={false}
        value={form.slug}
        onValueChange={(slug) => onChange({ slug })}
        error={describeFieldError(error, 'The slug', 'slug')}
      />
      <TextField
        label="Address for readers"
        isOptional
        type="url"
        placeholder="https://docs.example.com"
        description="Where the pages are published, so that the links of answers lead there. Without it, Docent serves them itself."
        value={form.url}
        onValueChange={(url) => onChange({ url })}
        error={describeFieldError(error, 'The address', 'url')}
      />
      <FormActions>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Add the site
        </Button>
        <Button onClick={onBack}>Back</Button>
      </FormActions>
    </Form>
  )
}

async function makeSite(form: SiteForm, source: SourceInput) {
  if (!isImported(form, source)) return createSite(readSiteCreate(form, source))
  const from = { name: form.slug.trim(), from: source.location, ref: source.ref ?? null }
  const { id, name } = await importRepository(from)
  const imported = { kind: 'builtin' as const, location: name, subdirectory: source.subdirectory ?? '' }
  try {
    return await createSite(readSiteCreate(form, imported))
  } catch (error) {
    // A repository without its site would only be in the way of the next try; what failed first is what is told.
    await deleteRepository(id).catch(() => {})
    throw error
  }
}
