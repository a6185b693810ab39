import { useRef } from 'react'
import { settingOperations } from '../../../../src/contract/operations/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { ColorField } from '../../../ui/color-field.tsx'
import { Field } from '../../../ui/field.tsx'
import { Section } from '../../../ui/section.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { call } from '../../api/call.ts'
import { useSession } from '../../api/session.ts'
import { FormView } from '../../forms/form-view.tsx'
import { type FieldBinding, useForm } from '../../forms/use-form.ts'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import classes from './settings-page.module.css'
import { say } from '../../../words/say.ts'

/** That of the style sheet in the light theme. */
const ownColor = '#0b6672'

/** Color and logo, which the dashboard, widgets and served pages share. */
export function BrandSettings() {
  const { color, logo } = useSession().brand
  // A new logo is a data URL, and the stored one a path.
  const form = useForm({
    initial: { color: color ?? '', logo: logo ?? '' },
    send: (values, base) => call(settingOperations.updateBrand, { body: readChange(values, base) }),
    next: (brand) => ({ color: brand.color ?? '', logo: brand.logo ?? '' }),
    done: say('Saved. Widgets show it within five minutes.'),
    onDone: reloadBrandStyle,
    stale: ['getSession'],
  })
  return (
    <Section
      title={say('Brand')}
      description={say(
        'A color and a logo for the dashboard, for widgets without their own color, and for the pages that Docent serves.',
      )}
    >
      <div className={classes.form}>
        <FormView form={form} action={say('Save')} isDisabled={!form.isDirty}>
          <ColorField
            label={say('Color')}
            description={say('Docent darkens or lightens it where text would be hard to read.')}
            fallback={ownColor}
            {...form.field('color', say('The color'))}
          />
          <LogoField {...form.field('logo', say('The logo'))} />
        </FormView>
      </div>
      <UnsavedGuard isDirty={form.isDirty} />
    </Section>
  )
}

function LogoField({ value, error, onValueChange }: FieldBinding<string>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Field
      label={say('Logo')}
      isOptional
      description={say('PNG or WebP, at most 32 KiB. Shown 24 pixels high.')}
      error={error}
    >
      {(control) => (
        <div className={classes.logo}>
          {value === '' ? null : <img src={value} alt={say('The logo')} />}
          <input
            {...control}
            ref={input}
            hidden
            type="file"
            accept="image/png,image/webp"
            onChange={({ target }) => {
              void readDataUrl(target.files?.[0]).then(onValueChange, () => {
                showToast({ title: say('This file could not be read.'), tone: 'danger' })
              })
            }}
          />
          <Button data-command={settingOperations.updateBrand.id} onClick={() => input.current?.click()}>
            {value === '' ? say('Choose an image') : say('Choose another')}
          </Button>
          {value === '' ? null : (
            <Button look="quiet" onClick={() => onValueChange('')}>
              {say('Remove')}
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

function readDataUrl(file: File | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error(say('The file could not be read.'))))
    if (file === undefined) reject(new Error(say('No file was chosen.')))
    else reader.readAsDataURL(file)
  })
}

interface BrandForm {
  color: string
  logo: string
}

function readChange({ color, logo }: BrandForm, base: BrandForm) {
  return {
    ...(color !== base.color && { color: color || null }),
    ...(logo !== base.logo && { logo: logo === '' ? null : logo.slice(logo.indexOf(',') + 1) }),
  }
}

/** The sheet of the page's head, which the browser has kept. */
function reloadBrandStyle() {
  const link = document.querySelector<HTMLLinkElement>('link[href^="/brand/"]')
  if (link !== null) link.href = `${link.href.split('?', 1)[0]}?at=${Date.now()}`
}
