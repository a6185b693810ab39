import type { ErrorWords } from '../words.ts'

/** What went wrong, by the code of the service's error. */
export const germanErrors: ErrorWords = {
  invalid_json: {
    meaning: 'Der Inhalt der Anfrage ist kein gültiges JSON.',
    action: 'Prüfen Sie Anführungszeichen, Kommas und Klammern, und senden Sie UTF-8.',
  },
  invalid_request: {
    meaning: 'Ein Feld fehlt, hat den falschen Typ oder liegt außerhalb der Grenzen.',
    action: 'Lesen Sie `details`, worin die ungültigen Felder stehen, und korrigieren Sie sie.',
  },
  question_too_long: {
    meaning: 'Die neueste Nachricht hat mehr als 100.000 Zeichen.',
    action:
      'Stellen Sie eine kürzere Frage, und fügen Sie von einem Protokoll oder einer Datei nur den nötigen Teil ein.',
  },
  key_missing: {
    meaning: 'Die Anfrage enthält keinen Schlüssel.',
    action: 'Senden Sie den Header `Authorization: Bearer KEY`.',
  },
  key_invalid: {
    meaning: 'Diese Installation kennt den Schlüssel nicht.',
    action: 'Prüfen Sie, ob er ganz kopiert wurde, oder erstellen Sie mit `docent key create` einen anderen.',
  },
  key_expired: {
    meaning: 'Der Schlüssel ist abgelaufen.',
    action: 'Erstellen Sie mit `docent key create` einen anderen, der später oder gar nicht abläuft.',
  },
  key_revoked: {
    meaning: 'Der Schlüssel wurde widerrufen.',
    action: 'Erstellen Sie mit `docent key create` einen anderen. Ein Widerruf ist endgültig.',
  },
  reader_identity_invalid: {
    meaning: 'Die Identität im Header `X-Docent-Identity` wurde abgelehnt.',
    action:
      'Signieren Sie ein JWT mit HS256 und dem Identitätsgeheimnis der Website, mit den Angaben `sub`, `groups` und `exp`. `exp` darf höchstens 24 Stunden in der Zukunft liegen.',
  },
  code_host_refused: {
    meaning:
      'Der Code-Host hat die Anfrage abgelehnt: Zugangsdaten oder eine Berechtigung fehlen, oder eine Regel verbietet sie.',
    action: 'In der Meldung steht, was zu ändern ist. `docent site check` testet jede Berechtigung.',
  },
  code_host_unavailable: {
    meaning: 'Der Code-Host antwortet nicht oder begrenzt die Zahl der Anfragen.',
    action:
      'Versuchen Sie es später noch einmal, nach `Retry-After`, wenn die Antwort diesen Header hat. Aufträge versuchen es von selbst wieder.',
  },
  chat_refused: {
    meaning: 'Die Chat-Plattform hat die Anfrage abgelehnt: Das Token ist falsch, oder eine Berechtigung fehlt.',
    action: 'In der Meldung steht, was zu ändern ist.',
  },
  chat_unavailable: {
    meaning: 'Die Chat-Plattform antwortet nicht oder begrenzt die Zahl der Anfragen.',
    action: 'Versuchen Sie es später noch einmal.',
  },
  session_missing: {
    meaning: 'Die Anfrage braucht eine Sitzung; sie fehlt oder ist abgelaufen.',
    action:
      'Melden Sie sich neu an. Ohne Passwort: Erstellen Sie mit `docent owner-link` einen Link und öffnen Sie ihn.',
  },
  webhook_refused: {
    meaning:
      'Eine Anfrage eines Code-Hosts oder einer Chat-Plattform hat die falsche Signatur, oder die Signatur ist zu alt.',
    action:
      'Kopieren Sie Adresse und Geheimnis aus den Einstellungen der Website noch einmal in den Webhook, und wählen Sie JSON als Inhaltstyp; einen Bot verbinden Sie neu. Prüfen Sie die Uhr.',
  },
  sign_in_failed: {
    meaning: 'E-Mail-Adresse und Passwort passen zu keinem Mitglied, oder der Anbieter hat die Person nicht bestätigt.',
    action:
      'Prüfen Sie beides. Haben Sie Ihr Passwort verloren, bitten Sie einen Inhaber um einen Link; Inhaber führen `docent owner-link` aus.',
  },
  form_expired: {
    meaning: 'Das Token des Formulars fehlt oder gehört zu einer anderen Sitzung.',
    action: 'Laden Sie die Seite neu, und senden Sie das Formular noch einmal.',
  },
  ip_not_allowed: {
    meaning: 'Der Schlüssel gilt nur für bestimmte Adressen, und die des Clients ist nicht darunter.',
    action:
      'Fügen Sie dem Schlüssel die Adresse hinzu. Hinter einem Proxy setzen Sie `DOCENT_TRUST_PROXY`, damit Docent die Adresse des Clients sieht.',
  },
  origin_not_allowed: {
    meaning: 'Der Schlüssel gilt nur für bestimmte Websites, und `Origin` der Anfrage fehlt oder ist nicht darunter.',
    action:
      'Fügen Sie dem Schlüssel die Herkunft Ihrer Seite hinzu. Auf Servern nehmen Sie einen Schlüssel ohne Herkunft.',
  },
  role_forbidden: {
    meaning: 'Ihre Rolle erlaubt das nicht.',
    action: 'Bitten Sie einen Inhaber, es zu tun oder Ihre Rolle unter „Mitglieder“ zu ändern.',
  },
  proof_invalid: {
    meaning:
      'Die Lösung passt zu keiner offenen Aufgabe von `POST /discovery/v2/session/{domain}`, oder sie wurde schon benutzt.',
    action:
      'Fordern Sie eine neue Aufgabe an und lösen Sie sie. Eine Aufgabe gilt fünf Minuten, für einen Schlüssel und ein Netz.',
  },
  session_required: {
    meaning:
      'Der Schlüssel verlangt eine Sitzung, immer oder über einer Zahl von Anfragen, und die Anfrage enthielt keine gültige.',
    action:
      'Fordern Sie eine mit `POST /discovery/v2/session/{domain}` an, und senden Sie sie in `X-Docent-Session`. Hat die Antwort `Retry-After`, können Sie auch so viele Sekunden warten.',
  },
  source_not_allowed: {
    meaning: 'Die Anfrage nennt einen Ordner auf dem Server, den die Einstellungen nicht erlauben.',
    action:
      'Nehmen Sie den Ordner in `DOCENT_SOURCE_FOLDERS` auf, oder führen Sie auf dem Server `docent site add` aus.',
  },
  scope_missing: {
    meaning: 'Der Admin-Schlüssel darf nur lesen, und die Anfrage schreibt.',
    action: 'Nehmen Sie einen Admin-Schlüssel mit der Berechtigung `write`.',
  },
  wrong_key_kind: {
    meaning: 'Statt eines Assistenten-Schlüssels kam ein Admin-Schlüssel, oder umgekehrt.',
    action:
      'Senden Sie einen Assistenten-Schlüssel (`svc_dsc_…`) an Pfade unter `/discovery`, und einen Admin-Schlüssel (`svc_…`) an Pfade unter `/admin`.',
  },
  not_found: {
    meaning: 'Unter diesem Pfad gibt es nichts, oder der Schlüssel, das Projekt oder der Lauf existiert nicht.',
    action: 'Vergleichen Sie den Pfad mit `/openapi.json` und die ID mit der Liste.',
  },
  page_not_found: {
    meaning: 'Die Website hat keine solche Seite, oder der Leser darf sie nicht sehen.',
    action: 'Prüfen Sie den Pfad der Seite. Eine Seite mit `groups` gibt es nur für Leser in einer dieser Gruppen.',
  },
  site_not_found: {
    meaning: 'Diese Website gibt es nicht, oder der Schlüssel gehört zu einer anderen.',
    action: 'Prüfen Sie Kürzel oder Hostnamen im Pfad, und nehmen Sie einen Schlüssel dieser Website.',
  },
  pull_request_not_found: {
    meaning: 'Diesen Pull-Request gibt es nicht, oder er gehört zu einer anderen Organisation.',
    action: 'Die Liste der Pull-Requests nennt ihre IDs. Die Seite eines Pull-Requests braucht ihre ganze Adresse.',
  },
  repository_not_found: {
    meaning: 'Dieses Repository gibt es nicht, oder es gehört zu einer anderen Organisation.',
    action: 'Vergleichen Sie den Namen, etwa `default/docs`, mit der Liste der Repositorys.',
  },
  job_not_found: {
    meaning: 'Das Projekt hat keinen solchen Auftrag.',
    action: 'Vergleichen Sie die ID mit `GET /v2/agent/{projectId}/jobs`.',
  },
  job_active: {
    meaning: 'An dem Auftrag wird noch gearbeitet.',
    action: 'Warten Sie, bis er endet, oder brechen Sie ihn vorher ab.',
  },
  job_archived: {
    meaning: 'Der Auftrag ist archiviert und nimmt keine Nachrichten mehr an.',
    action: 'Erstellen Sie einen neuen Auftrag.',
  },
  model_required: {
    meaning: 'Der Auftrag braucht ein Sprachmodell, und diese Installation hat nur das eingebaute.',
    action:
      'Setzen Sie DOCENT_MODEL, oder wählen Sie im Dashboard unter Einstellungen › Modell eines aus. Oder senden Sie eine wörtliche Anweisung wie die in der Meldung.',
  },
  no_repository: {
    meaning: 'Keine Website des Projekts hat ein Repository, in dem der Agent Pull-Requests öffnen kann.',
    action: 'Fügen Sie eine Website aus einem Ordner oder Repository hinzu, was es importiert: `docent site add PATH`.',
  },
  message_not_found: {
    meaning: 'Die Website hat keine solche Antwort.',
    action: 'Senden Sie die `messageId` des Ereignisses `start` der Antwort, nachdem die Antwort zu Ende ist.',
  },
  thread_not_found: {
    meaning: 'Der `threadKey` ist nicht der des Gesprächs.',
    action: 'Senden Sie den `X-Thread-Key`, der mit der ersten Antwort kam, oder lassen Sie `threadKey` weg.',
  },
  method_not_allowed: {
    meaning: 'Den Pfad gibt es, aber nicht für diese Methode.',
    action: 'Nehmen Sie eine der Methoden im Header `Allow`.',
  },
  conflict: {
    meaning: 'Der Name ist vergeben, oder ein Branch oder Pull-Request hat sich geändert, seit Sie ihn gelesen haben.',
    action: 'Wählen Sie einen anderen Namen, oder laden Sie neu und versuchen Sie es noch einmal.',
  },
  last_owner: {
    meaning: 'Die Organisation hätte dann keinen Inhaber mehr.',
    action: 'Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  },
  merge_conflict: {
    meaning: 'Der Branch des Pull-Requests und sein Basis-Branch haben dieselben Zeilen geändert.',
    action:
      'Mergen Sie den Basis-Branch in den Branch des Pull-Requests, lösen Sie die Konflikte in den genannten Dateien, und pushen Sie.',
  },
  body_too_large: {
    meaning:
      'Die Anfrage ist zu groß: höchstens 4 MiB für Nachrichten an den Assistenten, 64 KiB für die meisten anderen.',
    action: 'Senden Sie weniger, zum Beispiel weniger alte Nachrichten.',
  },
  unsupported_media_type: {
    meaning: 'Der Inhalt ist nicht als JSON gekennzeichnet.',
    action: 'Senden Sie den Header `Content-Type: application/json`.',
  },
  limit_reached: {
    meaning: 'Ein Limit ist aufgebraucht. Der Header `RateLimit` nennt es.',
    action:
      'Warten Sie so viele Sekunden, wie in `Retry-After` steht. Limits lassen sich in der Konfiguration erhöhen.',
  },
  internal_error: {
    meaning: 'Auf dem Server ist etwas schiefgegangen.',
    action:
      'Versuchen Sie es noch einmal. Bleibt der Fehler, suchen Sie im Protokoll des Servers nach der `requestId`.',
  },
  answer_failed: {
    meaning:
      'Die Antwort brach ab: Das Modell ist ausgefallen oder brauchte zu lange. Nur von `/v1/chat/completions` gesendet.',
    action:
      'Fragen Sie noch einmal, oder verlangen Sie weniger auf einmal. Wenn Sie den Server betreiben, prüfen Sie das Modell im Dashboard.',
  },
  database_unavailable: {
    meaning: 'Die Datenbank antwortet nicht oder ist nicht beschreibbar, etwa weil der Speicherplatz voll ist.',
    action:
      'Versuchen Sie es nach `Retry-After` noch einmal. Wenn Sie den Server betreiben, prüfen Sie PostgreSQL und den Speicherplatz.',
  },
  draining: {
    meaning: 'Der Server hält an und nimmt keine neuen Anfragen an.',
    action: 'Versuchen Sie es gleich noch einmal.',
  },
  overloaded: {
    meaning: 'Der Server ist überlastet und lehnt Anfragen ab, die er nicht rechtzeitig beantworten könnte.',
    action:
      'Warten Sie so viele Sekunden, wie in `Retry-After` steht. Wenn Sie den Server betreiben, erhöhen Sie die Zahl gleichzeitiger Anfragen, oder starten Sie einen weiteren Prozess.',
  },
  site_not_confirmed: {
    meaning:
      'Die meisten Links der Website führen ins Leere; sie geht erst online, wenn ihr Inhaber die Adressen der Seiten bestätigt.',
    action:
      'Führen Sie `docent site show SLUG` aus, und öffnen Sie die Adressen, die es auflistet. Stimmen sie, führen Sie `docent site confirm SLUG` aus; sonst ändern Sie mit `docent site change` die URL oder den Ordner.',
  },
  site_not_ready: {
    meaning: 'Die Website ist noch nicht indexiert, oder ihr Index ist beschädigt und wird neu gebaut.',
    action:
      'Versuchen Sie es nach `Retry-After` noch einmal. Bleibt der Fehler, zeigt `docent site sync SLUG`, warum der Lauf fehlschlug.',
  },
  starting: {
    meaning: 'Der Server startet.',
    action: 'Versuchen Sie es gleich noch einmal.',
  },
}
