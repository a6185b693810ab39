/** The words of instructions that programs know, in the languages that owners may write. */
export type InstructionLanguage = 'en' | 'de' | 'fr' | 'es'

type Forms = Readonly<Record<InstructionLanguage, string>>

/** What to do. The forms are alternatives of a pattern: imperative, infinitive, polite. */
export const verbs = {
  REPLACE: {
    en: 'replace|substitute|swap(?: out)?|exchange',
    de: 'ersetzen?|ersetz|ersetzt|tauschen?|austauschen',
    fr: 'remplace[rz]?|substitue[rz]?',
    es: 'reempla[zc](?:a|e|ar|en)|sustitu(?:ye|ya|ir)',
  },
  CHANGE: {
    en: 'change|correct|update|edit|modify|turn|bump',
    de: 'änder[ent]?|ändern|korrigieren?|aktualisieren?|aendern?',
    fr: 'chang(?:e|ez|er)|modifi(?:e|ez|er)|corrig(?:e|ez|er)',
    es: 'cambi(?:a|e|ar)|modifi(?:ca|que|car)|corri(?:ge|ja)|corregir|actuali(?:za|ce|zar)',
  },
  RENAME: {
    en: 'rename|retitle|reword',
    de: 'benennen?|umbenennen',
    fr: 'renomm(?:e|ez|er)',
    es: 'renombr(?:a|e|ar)',
  },
  MOVE: {
    en: 'move|relocate|should (?:live|move|be moved|come|stand|(?:go|be)(?= (?:at the (?:very )?(?:top|bottom|start|end|beginning)|(?:(?:directly|right|just) )?(?:after|before|above|below))))',
    de: 'verschieben?|verschieb|bewegen?',
    fr: 'déplac(?:e|ez|er)',
    es: 'muev(?:e|a)|mover|despla(?:za|ce|zar)',
  },
  DELETE: {
    en: 'delete|remove|drop|cut|strike|erase|kill|scrap|ditch|trash|(?:can|should|must|has to) (?:go|be (?:removed|deleted|dropped))(?! to| (?:(?:directly|right|just) )?(?:after|before|above|below))',
    de: 'löschen?|lösch|entfernen?|entfern|streichen?|loeschen?',
    fr: 'supprim(?:e|ez|er)|effac(?:e|ez|er)|enlev(?:e|ez)|enlever|retir(?:e|ez|er)',
    es: 'elimin(?:a|e|ar)|borr(?:a|e|ar)|quit(?:a|e|ar)|suprim(?:e|a|ir)',
  },
  ADD: {
    en: 'add|insert|append|create|write|put|place|include|make|list(?! (?:on|of|in)\\b| ?$)|show',
    de: 'füge|fügen|füg|hinzufügen|einfügen|anfügen|ergänzen?|ergänz|erstellen?|erstell|anlegen|lege|schreiben?|schreib|einrichten',
    fr: 'ajout(?:e|ez|er)|insèr(?:e|ez)|insér(?:er|ez)|cré(?:e|ez|er)|écri(?:s|vez|re)|me(?:ts|ttez|ttre)',
    es: 'añad(?:e|a|ir)|agreg(?:a|ue|ar)|insert(?:a|e|ar)|cre(?:a|e|ar)|escrib(?:e|a|ir)|pon(?:ga)?|poner',
  },
  SET: {
    en: 'set|give|should (?:now )?(?:be|read|say|become)',
    de: 'setzen?|setz|gib|geben|soll(?:te)?(?: jetzt)?(?: (?:heißen|lauten))?',
    fr: 'défini(?:s|ssez|r)|donn(?:e|ez|er)|d(?:oit|evrait) (?:être|devenir)',
    es: 'establec(?:e|er)|establezca|da(?:le|r)?|deb(?:e|ería) (?:ser|decir)',
  },
  FIX: {
    en: 'fix|repair|mend',
    de: 'reparieren?|beheben?|behebe',
    fr: 'répar(?:e|ez|er)',
    es: 'arregl(?:a|e|ar)|repar(?:a|e|ar)',
  },
  USE: {
    en: 'use|say',
    de: 'verwenden?|verwende|benutzen?|schreibe',
    fr: 'utilis(?:e|ez|er)',
    es: 'us(?:a|e|ar)|utili(?:za|ce|zar)',
  },
  HIDE: { en: 'hide|take', de: 'verstecken?|nimm', fr: 'masqu(?:e|ez|er)|cach(?:e|ez|er)', es: 'ocult(?:a|e|ar)' },
  UNDO: {
    en: 'undo|revert',
    de: 'rückgängig|widerrufen?',
    fr: 'annul(?:e|ez|er)',
    es: 'deshaz|deshacer|reviert(?:a|e)|revertir',
  },
} satisfies Readonly<Record<string, Forms>>

export type Verb = keyof typeof verbs

/** What of a page may be counted: the first sentence, the last row. */
const countable: Forms = {
  en: 'sentence|paragraph|bullet|(?:list )?item|(?:table )?row|step|table|list',
  de: 'satz|absatz|(?:listen|aufzählungs)?punkt|(?:tabellen)?zeile|schritt|tabelle|liste',
  fr: 'phrase|paragraphe|puce|ligne|rangée|étape|tableau|liste',
  es: 'frase|oración|párrafo|viñeta|punto|fila|paso|tabla|lista',
}

/** With a capital, `the Last section` is the one that is called so. */
const section: Forms = { en: '(?:sub)?section', de: 'abschnitt', fr: 'section', es: 'sección' }

/** `Every second row` is not the second one. */
const notCounted = '(?!\\s+§(?:FIRST|SECOND|THIRD|FOURTH|FIFTH|SIXTH|LAST)(?= ))'

/** All other words, longest phrases first: an earlier one takes its words from a later one. */
export const phrases: readonly (readonly [token: string, forms: Forms])[] = [
  [
    '',
    {
      en: '(?:i|we) (?:want|need|would like)(?: you)? to|i.d like(?: you)? to|let.s|you should|actually|sorry|oops|on second thoughts?|i think(?: that)?|it (?:says|reads)|it(?= should)',
      de: 'ich möchte,? dass du|wir müssen',
      fr: 'je voudrais que tu|il faut',
      es: 'quiero que|necesito que',
    },
  ],
  [
    'UNDO',
    {
      en: '(?:undo|revert|reverse|roll(?: it| that| this)? back|take(?: it| that| this| everything)? back)(?: (?:(?:all|everything)(?: of)? ?)?(?:that|this|it|them|(?:all|everything)|what you (?:just )?(?:did|changed)|(?:the|your|my|all|those|these)(?: of)?(?: your| the)?(?: last| latest| previous| most recent)? (?:changes?|edits?|one|round|commit|work)|the last (?:thing|step)))?(?: again)?(?: you (?:just )?(?:did|made))?',
      de: '(?:mach(?:e|en)?|nimm|nehmen|setze?) (?:bitte )?(?:das|es|dies|alles|(?:die|deine|alle|den) ?(?:letzten?)? ?(?:änderung(?:en)?|schritt)) (?:bitte )?(?:wieder )?(?:rückgängig|zurück)|(?:letzte|die|deine) ?(?:letzten?)? ?änderung(?:en)? (?:bitte )?(?:rückgängig machen|zurücknehmen)|(?:alles|das) (?:wieder )?(?:rückgängig machen|zurücknehmen)',
      fr: '(?:annul(?:e|ez|er)|défai(?:s|tes|re)|revien(?:s|ez) sur)(?: (?:ça|cela|tout|tes|vos|la|les|ta|ce que tu as fait)?(?: ?dernières?)? ?(?:modifications?|changements?)?)?',
      es: '(?:deshaz|deshacer|deshaga|reviert(?:e|a)|revertir)(?: (?:eso|esto|todo|lo que hiciste|(?:el|la|los|las|tus) ?(?:últim[oa]s?)? ?(?:cambios?|modificaci(?:ón|ones))))?',
    },
  ],
  // What is done anyway.
  [
    '',
    {
      en: '(?:and|with|while|but|so that|,) (?:please )?(?:keep(?:ing)?|updat(?:e|ing)|fix(?:ing)?|adjust(?:ing)?|mend(?:ing)?|remov(?:e|ing)|delete) (?:all |any |its |the |every |of )*(?:internal |incoming )?links?(?: (?:to|that point (?:to|at)|pointing (?:to|at)) (?:it|them|there|this page))?(?: working| intact| up to date| valid| accordingly)?|and (?:its|the|all) links(?: to it)?',
      de: '(?:und|mit|dabei) (?:aktualisiere|aktualisieren|passe|behalte|entferne) (?:dabei )?(?:alle |die )*(?:links|verweise)(?: darauf| dorthin| an)*',
      fr: 'et (?:mets|mettez|mettre) (?:tous )?les liens à jour|en gardant (?:tous )?les liens',
      es: 'y (?:actualiza|mantén) (?:todos )?los enlaces',
    },
  ],
  [
    '',
    {
      en: '(?:and|with|but|,) (?:please )?(?:(?:set up|add|create|leave|keep|make) )?(?:a )?redirect(?:s|ing)? (?:(?:from|for|at) )?(?:(?:the|its|their) )?(?:old|former|previous) (?:address(?:es)?|urls?|paths?|one|place|location|links?)(?: to (?:it|the new (?:one|address|url|page)))?',
      de: '(?:und|mit) (?:einer )?(?:leite|weiterleitung)(?: von)? (?:die|der) (?:alte|alten) (?:adresse|url)(?: (?:um|weiter|dorthin))*',
      fr: "(?:et|avec) (?:redirige|une redirection de) (?:l'|la )?ancienne (?:adresse|url)",
      es: '(?:y|con) (?:redirige|una redirección de) la (?:antigua|vieja) (?:dirección|url)',
    },
  ],
  countUnits('FIRST', { en: 'first', de: 'erste[nrs]?', fr: 'premi(?:er|ère)', es: 'primer[oa]?' }),
  countUnits('SECOND', { en: 'second', de: 'zweite[nrs]?', fr: 'deuxième|seconde?', es: 'segund[oa]' }),
  countUnits('THIRD', { en: 'third', de: 'dritte[nrs]?', fr: 'troisième', es: 'tercer[oa]?' }),
  countUnits('FOURTH', { en: 'fourth', de: 'vierte[nrs]?', fr: 'quatrième', es: 'cuart[oa]' }),
  countUnits('FIFTH', { en: 'fifth', de: 'fünfte[nrs]?', fr: 'cinquième', es: 'quint[oa]' }),
  countUnits('SIXTH', { en: 'sixth', de: 'sechste[nrs]?', fr: 'sixième', es: 'sext[oa]' }),
  countUnits('LAST', { en: 'last|final', de: 'letzte[nrs]?', fr: 'derni(?:er|ère)', es: 'últim[oa]' }),
  // At its beginning, an instruction may leave out the verb.
  [
    'ADD §PAGE',
    { en: '(?<=^ ?)new page', de: '(?<=^ ?)neue seite', fr: '(?<=^ ?)nouvelle page', es: '(?<=^ ?)nueva página' },
  ],
  ['ADD §START', { en: 'prepend', de: 'voranstellen', fr: 'préfixe', es: 'antepon(?:er|ga)?' }],
  [
    'REPLACE',
    {
      en: '(?:find|search)(?: for)? and replace',
      de: 'suche und ersetze',
      fr: 'chercher et remplacer',
      es: 'busca y reemplaza',
    },
  ],
  [
    'DELETE',
    {
      en: 'get rid of|throw away|(?:take|cut|strip|leave) out(?! of)',
      de: 'wirf weg',
      fr: 'débarrasse-toi de',
      es: 'deshazte de',
    },
  ],
  ['ADD', { en: 'set up', de: 'richte ein', fr: 'mets en place', es: 'configura' }],
  [
    'INSTEAD',
    {
      en: 'instead of|in place of|rather than',
      de: 'anstatt|anstelle von|statt',
      fr: 'au lieu de|à la place de',
      es: 'en lugar de|en vez de',
    },
  ],
  [
    'ALL',
    {
      en: '(?:on|in|across|of|through) (?:every|all|each)(?: of)?(?: the| our)? (?:single )?(?:pages?|docs|documents|documentation)|throughout(?: the| our)?(?: whole| entire)? (?:docs|documentation|site|pages)|(?:across|in|on|over) the (?:whole|entire) (?:docs|documentation|site)|throughout|(?:across|in) (?:the|our) (?:docs|documentation|site)|wherever it (?:occurs|appears)|(?:every|any)where(?= it (?:says|reads)|(?: that)? you see)',
      de: 'auf (?:allen|jeder) seiten?|in (?:allen|der ganzen|der gesamten) (?:seiten|dokumentation|dokumenten)|in der dokumentation',
      fr: '(?:sur|dans) (?:toutes les|chaque) pages?|dans toute la documentation',
      es: 'en (?:todas las|cada) páginas?|en toda la documentación',
    },
  ],
  [
    'FILES',
    {
      en: '(?:in|across) (?:all|every)(?: the| text)? files?|everywhere|all over(?: the (?:docs|site))?',
      de: 'in (?:allen|jeder) dateien?|überall',
      fr: 'dans tous les fichiers|partout',
      es: 'en todos los archivos|en todas partes|en todos lados',
    },
  ],
  [
    'END',
    {
      en: '(?:at|to|on) the (?:very )?(?:end|bottom)',
      de: 'am (?:ende|schluss)|ans ende',
      fr: 'à la fin',
      es: 'al final',
    },
  ],
  [
    'START',
    {
      en: '(?:at|to|on) the (?:very )?(?:top|beginning|start)',
      de: 'am anfang|an den anfang|oben',
      fr: 'au (?:début|debut)',
      es: 'al (?:principio|inicio|comienzo)',
    },
  ],
  [
    'F:sidebarTitle',
    { en: 'sidebar title', de: 'seitenleistentitel', fr: 'titre de navigation', es: 'título de navegación' },
  ],
  ['F:title', { en: 'page title|title', de: 'seitentitel|titel', fr: 'titre(?! de section)', es: 'título' }],
  ['F:description', { en: '(?:meta |page )?description', de: 'beschreibung', fr: 'description', es: 'descripción' }],
  [
    'FIELD',
    {
      en: '(?:frontmatter|front matter) (?:field|key|property)|frontmatter|field',
      de: 'frontmatter-feld|feld',
      fr: 'champ',
      es: 'campo',
    },
  ],
  ...[
    'icon',
    'tag',
    'keywords',
    'hidden',
    'noindex',
    'searchable',
    'deprecated',
    'boost',
    'slug',
    'sidebarTitle',
    'sidebar_label',
    'sidebar_position',
  ].map(sameEverywhere),
  [
    'NAV',
    {
      en: 'navigation(?: bar| menu| tree)?|side ?bar|menu|nav|table of contents',
      de: 'navigation|seitenleiste|menü',
      fr: 'navigation|barre latérale|menu',
      es: 'navegación|barra lateral|menú',
    },
  ],
  ['GROUP', { en: 'group|category|folder', de: 'gruppe|kategorie', fr: 'groupe|catégorie', es: 'grupo|categoría' }],
  [
    'HEADING',
    {
      en: '(?:sub)?headings?|headlines?|headers?|question',
      de: 'überschrift(?:en)?',
      fr: 'titre de section|en-tête',
      es: 'encabezado',
    },
  ],
  ['SECTION', { en: '(?:sub)?section|chapter|part', de: 'abschnitts?|kapitels?', fr: 'section', es: 'sección' }],
  [
    'LINKS',
    {
      en: '(?:broken|dead|invalid) (?:internal )?links?',
      de: '(?:kaputten?|defekten?|toten?) (?:links?|verweise?)',
      fr: 'liens (?:cassés|morts|brisés)',
      es: 'enlaces (?:rotos|muertos)',
    },
  ],
  [
    // The verb as well, where there is no other one.
    'REDIRECT',
    {
      en: '(?:should |must )?(?:redirect(?:ion)?s?|forward)',
      de: 'weiterleitung|umleitung|leiten?|umleiten|weiterleiten',
      fr: 'redirection|redirig(?:e|ez|er)',
      es: 'redirección|redirig(?:e|ir)|redirija',
    },
  ],
  [
    'CONTENT',
    {
      en: '(?:the |this |these )?(?:following )?(?:content|body|contents|markdown|mdx|text)(?: below)?|the following',
      de: '(?:dem |den )?(?:folgenden )?(?:inhalt|text)',
      fr: '(?:le )?(?:contenu|texte)(?: suivant)?',
      es: '(?:el )?(?:contenido|texto)(?: siguiente)?',
    },
  ],
  [
    'SUBJ',
    {
      en: '(?:word|text|term|phrase|name|string|command|url|link|address|version|spelling|typo|product|occurrences? of|instances? of|mentions? of)s?',
      de: 'wort|text|begriff|ausdruck|namen?|befehl|adresse|version|schreibweise',
      fr: 'mot|texte|terme|expression|nom|commande|adresse|version',
      es: 'palabra|texto|término|expresión|nombre|comando|dirección|versión',
    },
  ],
  ['SENTENCE', { en: 'sentence', de: 'satz', fr: 'phrase', es: 'frase|oración' }],
  ['PARA', { en: 'paragraph', de: 'absatz', fr: 'paragraphe', es: 'párrafo' }],
  [
    'ITEM',
    {
      en: '(?:list )?item|bullet(?: point)?|step',
      de: '(?:listen|aufzählungs)?punkt|schritt',
      fr: 'puce|étape',
      es: 'viñeta|punto|paso',
    },
  ],
  ['ROW', { en: '(?:table )?row', de: 'tabellenzeile', fr: 'rangée', es: 'fila' }],
  ['TABLE', { en: 'table(?! page)', de: 'tabelle', fr: 'tableau', es: 'tabla' }],
  [
    'LIST',
    {
      en: '(?<=\\b(?:the|its|that|this) )list|(?<=[\\p{L}] )list(?= (?:on|of|in)\\b| ?$)',
      de: 'liste',
      fr: 'liste',
      es: 'lista',
    },
  ],
  [
    'BLOCK',
    {
      en: 'lines?|notes?|warning|tip|callout|code block|block|snippet',
      de: 'zeile|hinweis',
      fr: 'ligne|note',
      es: 'línea|nota',
    },
  ],
  ['IN §IT', { en: 'there(?! (?:is|are))|on it', de: 'dort', fr: 'là', es: 'allí|ahí' }],
  [
    'IT',
    {
      en: '(?-i:it)|that page|this page|the same page',
      de: 'sie|diese[rn]? seite',
      fr: 'cette page',
      es: 'esta página',
    },
  ],
  [
    'PAGE',
    {
      en: '(?:old )?(?:pages?|articles?|(?-i:documents?|(?<!\\byour )docs?(?! page)|files?|guide|path|route))',
      de: 'seiten?|datei(?:en)?|artikel',
      fr: 'pages?|fichiers?|articles?',
      es: 'páginas?|archivos?|artículos?',
    },
  ],
  [
    'TITLED',
    {
      en: 'titled|called|named|entitled',
      de: 'namens|mit dem namen',
      fr: 'intitulée?|nommée?',
      es: 'titulad[ao]|llamad[ao]',
    },
  ],
  [
    'SAYING',
    {
      en: '(?:that|which) (?:says|reads|contains)|saying|reading|containing|and write',
      de: 'mit der aussage|und schreibe',
      fr: 'disant|contenant',
      es: 'que diga|que dice',
    },
  ],
  ['UNDER', { en: 'under(?:neath)?|inside|within', de: 'unter(?:halb)?', fr: 'sous', es: 'bajo|debajo de' }],
  [
    'AFTER',
    {
      en: '(?:directly |right |just )?(?:after|below|beneath)',
      de: '(?:direkt )?(?:nach(?! 〔)|hinter)',
      fr: '(?:juste )?après',
      es: '(?:justo )?después de|tras',
    },
  ],
  [
    'BEFORE',
    {
      en: '(?:directly |right |just )?(?:before|above|in front of)',
      de: '(?:direkt )?(?:vor|über)',
      fr: '(?:juste )?avant',
      es: '(?:justo )?antes de',
    },
  ],
  ['WITH', { en: 'with', de: 'mit', fr: 'avec', es: 'con' }],
  ['BY', { en: 'by|for|->|=>|→', de: 'durch|gegen', fr: 'par', es: 'por' }],
  ['FROM', { en: 'from|out of', de: 'aus|von', fr: '(?:à partir )?(?:de|du)', es: 'de|desde' }],
  [
    'TO',
    {
      en: 'to(?: say| read| be)?|into|as',
      de: 'zur?m?|nach|auf(?= ⟦)|in(?= ⟦)',
      fr: 'en|vers|à|comme',
      es: 'a|hacia|como',
    },
  ],
  ['IN', { en: 'in|on|of|at', de: 'in|im|auf|an', fr: 'sur|dans|du|de', es: 'en|del|de' }],
  [
    'THEN',
    {
      en: '(?:and )?(?:then|also|after that|afterwards|finally|next)',
      de: '(?:und )?(?:dann|danach|außerdem|anschließend)',
      fr: '(?:et )?(?:puis|ensuite|aussi)',
      es: '(?:y )?(?:luego|después|también)',
    },
  ],
  ['AND', { en: 'and', de: 'und', fr: 'et', es: 'y' }],
  [
    '',
    {
      en: `the|an?|new|(?:every|each)${notCounted}|all|any|our|its|whole|entire|please|kindly|existing|current|thanks|thank you|this|these|entry|occurrence|value|h[1-6]`,
      de: `der|die|das|den|dem|des|eine?[nrms]?|neue[nrs]?|alle|jede[nrs]?${notCounted}|bitte|hinzu|ein|um|vorkommen|wert|danke`,
      fr: `la|le|les|l'|une?|des|nouvelle|nouveau|tous|toutes|chaque${notCounted}|s'il (?:te|vous) plaît|merci|valeur`,
      es: `el|la|los|las|una?|nuev[ao]|tod[ao]s|cada${notCounted}|por favor|gracias|valor`,
    },
  ],
]

/** Only before what is counted: elsewhere these are words of names. */
function countUnits(token: string, forms: Forms) {
  const before = (language: InstructionLanguage) =>
    `(?:${forms[language]})(?= (?:${countable[language]}))|(?-i:${forms[language]})(?= ${section[language]})`
  return [token, { en: before('en'), de: before('de'), fr: before('fr'), es: before('es') }] as const
}

/** Fields of frontmatter are written as they are. */
function sameEverywhere(name: string) {
  return [`F:${name}`, { en: name, de: name, fr: name, es: name }] as const
}
