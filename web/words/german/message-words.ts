import type { MessageWords } from '../words.ts'

/** Sentences of the service, by their code. */
export const germanMessages: MessageWords = {
  'database-silent': 'Die Datenbank antwortet nicht. Prüfen Sie ihren Server und DATABASE_URL.',
  'database-embedded': 'Die eingebaute Datenbank hat in {ms} ms geantwortet.',
  'database-postgres': 'PostgreSQL hat in {ms} ms geantwortet.',
  'disk-unreadable': 'Der Datenordner ist nicht lesbar. Prüfen Sie DOCENT_DATA und den Eigentümer des Ordners.',
  'disk-full': 'Auf dem Laufwerk des Datenordners sind {free} von {all} GiB frei. Schaffen Sie sofort Platz.',
  'disk-nearly-full': 'Auf dem Laufwerk des Datenordners sind {free} von {all} GiB frei. Schaffen Sie bald Platz.',
  'disk-free': 'Auf dem Laufwerk des Datenordners sind {free} von {all} GiB frei.',
  'model-answers': {
    one: '{model}: {count} Antwort in der letzten Stunde, {failed} fehlgeschlagen.',
    other: '{model}: {count} Antworten in der letzten Stunde, {failed} fehlgeschlagen.',
  },
  'model-unreachable': 'Testen Sie es mit „docent doctor“, und prüfen Sie Schlüssel und Server.',
  'model-failing': 'Der Grund steht im Log.',
  'model-offline': 'Es zitiert nur Seiten; ein Sprachmodell legen Sie mit DOCENT_MODEL fest.',
  'model-others': 'Andere Modelle, die geantwortet haben: {models}.',
  'embedding-off': 'Gesucht wird nur nach Wörtern. Für die Suche nach Bedeutung setzen Sie DOCENT_EMBEDDING_MODEL.',
  'embedding-ready': '{model}: {ready} von {sites} indexierten Websites haben Vektoren.',
  'embedding-waiting':
    'Auf den anderen wird nach Wörtern gesucht, bis auch ihre fertig sind. Dauert das lange, sehen Sie im Log nach.',
  'embedding-worse':
    'Mit dem Embedding-Modell werden die Ergebnisse von {site} schlechter ({before} → {after} von 100), daher wird es dort nicht benutzt: Probieren Sie ein anderes.',
  'embedding-useless':
    'Mit dem Embedding-Modell werden die Ergebnisse von {site} nicht besser ({before} → {after} von 100), daher wird es dort nicht benutzt: Probieren Sie ein anderes.',
  'hosts-none': 'Keine Website kommt aus einem Repository.',
  'hosts-readable': {
    one: 'Bei der letzten Synchronisierung war das Repository der Website lesbar.',
    other: 'Bei der letzten Synchronisierung waren die Repositorys von {count} Websites lesbar.',
  },
  'hosts-unreadable': 'Die Repositorys dieser Websites waren nicht lesbar: {sites}.',
  'index-none': 'Die Website {site} ist noch nicht indexiert.',
  'index-missing': 'Die Website {site} hat keinen Index.',
  'index-served': {
    one: 'Ausgeliefert wird Version {generation}: {count} Seite.',
    other: 'Ausgeliefert wird Version {generation}: {count} Seiten.',
  },
  'index-sync-failed': 'Die letzte Synchronisierung ist fehlgeschlagen.',
  'index-findings': { one: '{count} Problem in der Quelle.', other: '{count} Probleme in der Quelle.' },
  'queue-empty': 'Die Warteschlange ist leer.',
  'queue-waiting': 'Es wartet auf einen Worker: {queues}.',
  'queue-stuck': 'Das Älteste wartet seit über zehn Minuten. Prüfen Sie, ob ein Worker läuft („docent work“).',

  'need-database': 'Die Datenbank hat ein Problem',
  'need-disk': 'Das Laufwerk ist fast voll',
  'need-model': 'Das Modell antwortet nicht zuverlässig',
  'need-embedding': 'Das Embedding-Modell hat ein Problem',
  'need-index': 'Die letzte Synchronisierung ist fehlgeschlagen',
  'need-index-fault': 'Der Index hat ein Problem',
  'need-secrets': 'Gespeicherte Geheimnisse sind nicht lesbar',
  'need-queue': 'Arbeit wartet auf einen Worker',
  'need-confirmation': 'Lassen sich die Links öffnen?',
  'need-confirmation-why': 'Die meisten Links der Website führen ins Leere, daher wartet sie auf Ihre Antwort.',
  'need-spending': 'Heute sind {spentUsd} von {ceilingUsd} ausgegeben',
  'need-spending-why': 'Ist die Obergrenze erreicht, antwortet bis morgen das eingebaute Modell.',
  'need-key': 'Der Schlüssel „{name}“ ist für diesen Monat zu {percent} % verbraucht',
  'need-key-why': { one: '{used} von {count} Antwort.', other: '{used} von {count} Antworten.' },
  'need-digest': 'Der Wochenbericht konnte nicht per E-Mail gesendet werden',
  'need-job': 'Ein Auftrag ist fehlgeschlagen: {title}',
  'need-pull-request': 'Ein Pull-Request ist bereit: {title}',
  'need-discrepancies': {
    one: '{count} Aussage der Seiten stimmt vielleicht nicht mehr',
    other: '{count} Aussagen der Seiten stimmen vielleicht nicht mehr',
  },
  'need-discrepancies-why': 'Sie widersprechen dem Produkt, einander oder einem Schema.',
  'need-questions': {
    one: '{count} Frage ohne Antwort in 7 Tagen',
    other: '{count} Fragen ohne Antwort in 7 Tagen',
  },
  'need-questions-why': 'Die neueste: „{question}“',

  'check-words-all': 'Jede Seite enthält alle Wörter ihrer Quelle.',
  'check-words-most':
    'Die meisten Seiten enthalten alle Wörter ihrer Quelle; am wenigsten enthält {file} mit {percent} %.',
  'check-words-half':
    'Die Hälfte der Seiten enthält mindestens {median} %; am wenigsten enthält {file} mit {percent} %.',
  'check-links-all': {
    one: 'Der einzige Link zwischen den Seiten führt zum Ziel.',
    other: 'Alle {count} Links zwischen den Seiten führen zum Ziel.',
  },
  'check-links-some': 'Links zwischen den Seiten, die zum Ziel führen: {working} von {count}.',
  'check-anchors-all': {
    one: 'Der einzige Link zu einem Abschnitt findet ihn.',
    other: 'Alle {count} Links zu Abschnitten finden sie.',
  },
  'check-anchors-some': 'Links zu Abschnitten, die sie finden: {working} von {count}.',
  'check-addresses': 'Nach ihren eigenen Links sind die Seiten so adressiert: {rule}.',
  'confirm-why':
    'Die meisten ihrer eigenen Links führen ins Leere; die Adressen ihrer Seiten sind also vielleicht falsch.',
  'confirm-served': 'Leser bekommen noch die vorige Version.',
  'confirm-not-live': 'Sie ist noch nicht veröffentlicht.',
  'confirm-links': { one: 'Lässt sich dieser Link öffnen?', other: 'Lassen sich diese Links öffnen?' },
  'confirm-paths': 'Ihre URL ist nicht festgelegt. Sind das die Pfade ihrer Seiten dort, wo sie veröffentlicht ist?',

  'verdict-unanswered': 'Auf den Seiten steht keine Antwort.',
  'verdict-uncited': 'Die Antwort zitiert keine Seite.',
  'verdict-doubtful': 'Die zitierten Stellen gehören zum Thema, enthalten aber vielleicht nicht, wonach gefragt wurde.',
  'verdict-missing': 'Auf den zitierten Seiten steht „{fact}“ nicht.',
  'verdict-conflict': 'Die Seiten widersprechen einander bei {subject}.',

  'drift-package': 'Das Paket `{subject}` ist nicht mehr im Repository.',
  'drift-default': 'Die Vorgabe von `{subject}` ist jetzt `{successor}`, nicht mehr `{value}`.',
  'drift-gone-name': 'Den Namen `{subject}` gibt es im Produkt nicht mehr.',
  'drift-gone-parameter': 'Den Parameter `{subject}` von `{owner}` gibt es im Produkt nicht mehr.',
  'drift-gone-flag': 'Die Option `{subject}` gibt es im Produkt nicht mehr.',
  'drift-gone-command': 'Den Befehl `{subject}` gibt es im Produkt nicht mehr.',
  'drift-gone-feature': 'Die zuschaltbare Funktion `{subject}` gibt es im Produkt nicht mehr.',
  'drift-gone-variable': 'Die Variable `{subject}` gibt es im Produkt nicht mehr.',
  'drift-gone-endpoint': 'Den Endpunkt `{subject}` gibt es im Produkt nicht mehr.',
  'drift-gone-field': 'Das Feld `{subject}` von `{owner}` gibt es im Produkt nicht mehr.',
  'drift-gone-package': 'Das Paket `{subject}` gibt es im Produkt nicht mehr.',
  'drift-gone-file': 'Die Datei `{subject}` gibt es im Produkt nicht mehr.',
  'drift-now': 'Jetzt heißt es `{successor}`.',
  'drift-perhaps': 'Vielleicht heißt es jetzt `{successor}`.',
  'drift-advice-default': 'Nennen Sie `{successor}` als Vorgabe, oder lassen Sie den Wert weg.',
  'drift-advice-renamed':
    'Nennen Sie in diesen Zeilen `{successor}` statt `{subject}`, oder schreiben Sie, dass es entfernt wurde.',
  'drift-advice-gone':
    'Nennen Sie in diesen Zeilen statt `{subject}`, was es ersetzt hat, oder schreiben Sie, dass es entfernt wurde.',
  'drift-last': 'Zuletzt definiert',
  'drift-changed': 'Geändert',
  'drift-renamed': 'Umbenannt',
  'drift-removed': 'Entfernt',
  'drift-checked': 'Geprüft gegen',
  'drift-contradiction': 'Zwei Seiten nennen für `{subject}` Verschiedenes ({attribute}): `{one}` und `{other}`.',
  'drift-advice-contradiction':
    'Berichtigen Sie die Seite, die nicht stimmt, oder schreiben Sie, wann welcher Wert gilt.',

  'change-check': 'Dokumentation',
  'change-passed':
    'Kein neues Problem: Syntax, Frontmatter, Links und Anker, Navigation, API-Beschreibungen, Reste und Geheimnisse.',
}
