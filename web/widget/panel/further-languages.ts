import c from '@speed-highlight/core/languages/c.js'
import css from '@speed-highlight/core/languages/css.js'
import diff from '@speed-highlight/core/languages/diff.js'
import go from '@speed-highlight/core/languages/go.js'
import html from '@speed-highlight/core/languages/html.js'
import http from '@speed-highlight/core/languages/http.js'
import ini from '@speed-highlight/core/languages/ini.js'
import java from '@speed-highlight/core/languages/java.js'
import rs from '@speed-highlight/core/languages/rs.js'
import sql from '@speed-highlight/core/languages/sql.js'
import toml from '@speed-highlight/core/languages/toml.js'
import xml from '@speed-highlight/core/languages/xml.js'
import type { Languages } from './highlight-code.ts'

// Its types leave `undefined` out, which its own grammars contain.
export const furtherLanguages = { c, css, diff, go, html, http, ini, java, rs, sql, toml, xml } as unknown as Languages
