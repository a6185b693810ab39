/** The columns after the English one. */
export const tableLanguages = ['de', 'fr', 'es', 'pt', 'it', 'nl', 'ru', 'ja', 'zh', 'ko'] as const

/**
 * Words that documentation of any product uses. A line is an English term, or several that say the same, and for each of
 * the languages above how its words begin; longer ones win. Those of fewer than five letters are whole words.
 */
export const documentationWords = `
access|zugriff,zugang|acces|acceso,acceder|acesso,acessar|accesso,accedere|toegang|доступ|アクセス|访问,存取|접근,액세스
account|konto,konten|compte|cuenta|conta,contas|account|account|аккаунт,учетн|アカウント|账户,帐户,账号,帐号|계정
add|hinzufug,fuge,fugt,erganz|ajout|agreg,anad|adicion,acrescent|aggiung|toevoeg,voeg|добав|追加|添加,新增,加入|추가
address|adress|adresse|direccion|endereco|indirizzo,indirizzi|adres|адрес|アドレス,住所|地址|주소
admin|administrator,verwalter|administrateur|administrador|administrador|amministratore|beheerder|администратор|管理者|管理员|관리자
animation|animation|animation|animacion|animacao,animacoes|animazion|animatie|анимаци|アニメーション|动画|애니메이션
API|schnittstell|interface de programmation|interfaz de programacion|interface de programacao|interfaccia di programmazione|programmeerinterface|интерфейс программирования|インターフェース|接口|인터페이스
application app|anwendung,applikation|application,appli|aplicacion|aplicacao,aplicacoes,aplicativo|applicazion|applicatie,toepassing|приложени|アプリ|应用|애플리케이션,앱
argument|argument|argument|argumento|argumento|argomento,argomenti|argument|аргумент|引数|参数|인수,인자
array|array,feldern|tableau|arreglo|arranjo|array|array|массив|配列|数组|배열
asynchronous async|asynchron|asynchron|asincron|assincron|asincron|asynchro|асинхронн|非同期|异步|비동기
attachment|anhang|piece jointe|adjunto|anexo|allegat|bijlage|вложени|添付|附件|첨부
authentication|authentifizier,anmeldeverfahren|authentifi|autentic|autentic|autentic|authenticat|аутентификац|認証|认证,身份验证,鉴权|인증
author|autor|auteur|autor|autor|autore,autori|auteur|автор|著者,作者|作者|작성자,저자
automatic|automatisch|automati|automatic|automatic|automatic|automatisch|автоматическ|自動|自动|자동
backend|serverseit|cote serveur|lado del servidor|lado do servidor|lato server|serverkant|бэкенд|バックエンド|后端|백엔드
background|hintergrund|arriere-plan,arriere plan|segundo plano,fondo|segundo plano,fundo|sfondo,background|achtergrond|фон,фоне,фонов|バックグラウンド,背景|后台,背景|백그라운드,배경
backup|sicherung,datensicher,sichere|sauvegarde|copia de seguridad,copias de seguridad,respaldo|copia de seguranca|copia di sicurezza,copie di sicurezza|reservekopie,back-up|резервн|バックアップ|备份|백업
bind mount|einhang,einbind|monter|montar|montar|montare|koppelen|монтиров|マウント|挂载|마운트
block|blockier,sperr|bloqu|bloque|bloque|blocc|blokke|блокир|ブロック|阻止,屏蔽|차단,블록
branch|zweig|branche|rama,ramas|ramo|ramo,rami|vertakking|ветк|ブランチ|分支|브랜치
browser|browser|navigateur|navegador|navegador|browser|browser|браузер|ブラウザ|浏览器|브라우저
build|bauen,kompilier|construi,compil|constru,compil|constru,compil|costru,compil|bouwen,compil|сборк,собрать,собира,компил|ビルド|构建,编译|빌드
button|schaltflach,knopf|bouton|boton|botao,botoes|pulsant,bottone|knop,knoppen|кнопк|ボタン|按钮|버튼
cache|zwischenspeicher|mise en cache,antememoire|cache,almacenamiento en cache|cache|cache|cache|кэш,кеш|キャッシュ|缓存|캐시
callback|ruckruf|rappel|devolucion de llamada|retorno de chamada|richiamata|terugroep|обратн вызов,колбэк|コールバック|回调|콜백
cancel|abbrech,abbruch|annul|cancel|cancel|annull|annule|отмен|キャンセル|取消|취소
card|karte,karten|carte,cartes|tarjeta|cartao,cartoes|scheda,schede|kaart|карточк|カード|卡片|카드
certificate|zertifikat|certificat|certificado|certificado|certificat|certifica|сертификат|証明書|证书|인증서
change modify|andern,anderung,geandert,andere ich,umstell|chang,modifi|cambi,modific|alter,mudar,mudo,modific|cambi,modific|wijzig,verander,aanpass|измен,поменя,смен|変更|更改,修改,改变,更换|변경,수정,바꾸
check verify|pruf,uberpruf,kontrollier|verifi|comprob,verific|verific|verific,controll|controleer,nagaan,verifi|провер|確認,検証,チェック|检查,验证,校验|확인,검증,검사
class|klasse|classe|clase|classe|classe,classi|klasse|класс|クラス|类|클래스
client|client,klient|client|cliente|cliente|client|client|клиент|クライアント|客户端|클라이언트
code|quellcode,quelltext|code|codigo|codigo|codice,codici|code|код,кода,коде|コード|代码|코드
code block|codebl|bloc de code,blocs de code|bloque de codigo,bloques de codigo|bloco de codigo,blocos de codigo|blocco di codice,blocchi di codice|codeblok|блок кода,блоки кода|コードブロック|代码块|코드 블록
color|farbe,farb|couleur|color,colores|cor,cores|colore,colori|kleur|цвет|色,カラー|颜色|색,색상
column|spalte|colonne|columna|coluna|colonna,colonne|kolom|столб,колонк|列,カラム|列名|열,컬럼
command|befehl,kommando|commande|comando|comando|comando,comandi|opdracht,commando|команд|コマンド|命令|명령
comment|kommentar|commentaire|comentario|comentario|commento,commenti|opmerking|комментар|コメント|注释,评论|주석,댓글
compare|vergleich|compar|compar|compar|confront|vergelijk|сравн|比較|比较,对比|비교
component|komponente,bauteil|composant|componente|componente|component|component|компонент|コンポーネント|组件|컴포넌트
compress|komprimier,kompression|compress|comprim,compresion|comprim,compress,compact|comprim,compress|comprim,compress|сжат,сжима|圧縮|压缩|압축
concurrent parallel|gleichzeitig,nebenlauf|simultane,concurren|simultane,concurren,paralel|simultane,concorren,paralel|contemporane,simultane|gelijktijdig|одновременн,параллельн|並行,並列,同時|并发,并行,同时|동시,병렬
configure configuration|konfigur|configur,parametr|configur|configur|configur|configure,instell|конфигур,настро|設定|配置|구성,설정
connect connection|verbind|connect,connexion|conect,conexion|conect,conexao,conexoes|connett,connession|verbind|подключ,соедин|接続|连接|연결
container|container|conteneur|contenedor|conteiner,contentor|container|container|контейнер|コンテナ|容器|컨테이너
content|inhalt|contenu|contenido|conteudo|contenuto,contenuti|inhoud|содержим,контент|コンテンツ,内容|内容|콘텐츠,내용
convert|konvertier,umwandel,wandle|convert|convert|convert,conversao|convert|convert,omzet|конверт,преобраз|変換|转换|변환
cookie|keks|temoin de connexion|cookie|cookie|cookie|cookie|куки|クッキー|饼干|쿠키
copy|kopier,kopie|copie,copi|copi|copi|copi|kopie|копи,скопир|コピー,複製|复制,拷贝|복사
create|erstell,anleg,lege,erzeug|cree,cre,creer|crear,cree,crea,creo,creacion|criar,crio,cria,criacao|crea,crear,creare,creazione|maak,maken,aanmak|созда|作成,作る|创建,新建|생성,만들
custom customize|anpass,benutzerdefiniert,eigene,eigenes,eigenen|personnalis|personaliz|personaliz,customiz|personalizz|aangepast,eigen|кастом,пользовательск,собственн|カスタム,カスタマイズ,独自|自定义,定制|사용자 정의,커스텀,맞춤
dark mode|dunkelmodus,dunkler modus,dunklen modus|mode sombre|modo oscuro|modo escuro|modalita scura,tema scuro|donkere modus|темная тема,темную тему,темный режим|ダークモード|暗色模式,深色模式,暗黑模式|다크 모드,다크모드
data|daten|donnees|datos|dados|dati|gegevens|данны|データ|数据|데이터
database|datenbank|base de donnees,bases de donnees|base de datos,bases de datos|banco de dados,bancos de dados,base de dados|database,base di dati|database|баз данных,база данных,базу данных,базе данных,базой данных,базы данных|データベース|数据库|데이터베이스
date|datum|date,dates|fecha|data,datas|data,date|datum|дата,дату,даты|日付|日期|날짜
debug|debug,fehlersuche|debogu,deboga|depur|depur|debug|debug,foutopspor|отлад,отлаж|デバッグ|调试|디버그,디버깅
decrypt|entschlussel|dechiffr|descifr,desencript|descriptograf,decifr|decifr,decritt|ontsleutel|расшифр|復号|解密|복호화
default|standard,vorgabe,voreinstell|defaut|defecto,predeterminad|padrao,predefinid|predefinit|standaard|умолчан|デフォルト,既定,初期値|默认,預設|기본값,기본
dependency|abhangigkeit|dependance|dependencia|dependencia|dipendenz|afhankelijk|зависимост|依存|依赖|의존성,종속성
deploy deployment|bereitstell,ausroll|deploi,deploie|despleg,despliegue,implementar|implant,deploy|distribui,deploy,rilasci|uitrol,implementeer|разверт,развер,деплой|デプロイ|部署|배포
description|beschreibung|description|descripcion|descricao|descrizion|beschrijving|описани|説明|描述,说明|설명
disable|deaktivier,ausschalt,abschalt|desactiv|desactiv,deshabilit|desativ,desabilit|disattiv,disabilit|uitschakel,deactiv|отключ,выключ|無効|禁用,关闭,停用|비활성
disk|festplatte,laufwerk|disque|disco|disco|disco,dischi|schijf|диск|ディスク|磁盘,硬盘|디스크
documentation|dokumentation|documentation|documentacion|documentacao|documentazione|documentatie|документац|ドキュメント|文档|문서
domain|domane|domaine|dominio|dominio|dominio|domein|домен|ドメイン|域名|도메인
download|herunterlad,lade herunter|telecharg|descarg|baixar,baixo,descarreg|scaric|download|скача,загруж|ダウンロード|下载|다운로드
dry run preview|vorschau,probelauf,testlauf|apercu,previsualis|vista previa,previsualiz,simulacro|pre-visualiz,previsualiz,visualizacao previa|anteprima,simulazion|voorbeeld weergave,voorvertoning,proefdraai|предпросмотр,предварительн|プレビュー,ドライラン|预览,试运行|미리보기,미리 보기
duplicate|duplikat,doppelt|doublon,dupliqu|duplic|duplic|duplic|dubbel,duplic|дубл|重複|重复|중복
dynamic|dynamisch|dynamiq|dinamic|dinamic|dinamic|dynamisch|динамическ|動的|动态|동적
edit|bearbeit,editier|edit,editer,modifi|editar,edito|editar,edito|modific|bewerk|редактир|編集|编辑|편집
element|element|element|elemento|elemento|elemento,elementi|element|элемент|要素|元素|요소
email|e-mail,mail|courriel,e-mail|correo|e-mail,correio|e-mail,posta elettronica|e-mail|почт|メール|邮件,邮箱,电子邮件|이메일,메일
embed|einbett|integrer,incorpor|incrust,embeb|incorpor,embut|incorpor|insluiten,inbedden|встро,встраив|埋め込|嵌入|임베드,삽입
enable|aktivier,einschalt|activer,active|activ,habilit|ativar,ativo,habilit|attiv,abilit|inschakel,activeer|включ|有効|启用,开启|활성
encrypt encryption|verschlussel|chiffr,crypt|cifrar,cifrado,cifro,encript|criptograf,cifrar|cifra,crittograf|versleutel|зашифр,шифр|暗号|加密|암호화
environment|umgebung|environnement|entorno|ambiente|ambiente,ambienti|omgeving|окружени,сред|環境|环境|환경
environment variable|umgebungsvariabl|variable d'environnement,variables d'environnement|variable de entorno,variables de entorno|variavel de ambiente,variaveis de ambiente|variabile d'ambiente,variabili d'ambiente|omgevingsvariabel|переменн окружения,переменные окружения,переменную окружения,переменных окружения|環境変数|环境变量|환경 변수,환경변수
error|fehler|erreur|error,errores|erro,erros|errore,errori|fout,fouten,foutmelding|ошибк|エラー|错误,报错,出错|오류,에러
event|ereignis|evenement|evento|evento|evento,eventi|gebeurtenis|событи|イベント|事件|이벤트
example|beispiel|exemple|ejemplo|exemplo|esempio,esempi|voorbeeld|пример|例,サンプル|示例,例子|예제,예시
exception|ausnahme|exception|excepcion|excecao,excecoes|eccezion|uitzondering|исключени|例外|异常|예외
exclude ignore|ausschlie,ignorier|exclu,ignor|exclu,ignor|exclu,ignor|esclu,ignor|uitsluit,negeer|исключ,игнор|除外,無視|排除,忽略|제외,무시
exit code|ruckgabecode,exitcode|code de sortie,code de retour|codigo de salida|codigo de saida|codice di uscita|afsluitcode|код возврата,код завершения|終了コード|退出码|종료 코드
expire expiration|ablauf,ablauft|expir|caduc,expir,vencimiento|expir|scad|verlop|истек|期限,失効|过期,失效|만료
export|exportier|export|export|export|esport|export|экспорт|エクスポート|导出|내보내
extend extension|erweiter|etend,extension|extend,extension,ampli|estend,extens|estend,estension|uitbreid|расшир|拡張|扩展|확장
field|feld|champ,champs|campo,campos|campo,campos|campo,campi|veld,velden|поле,поля,полей|フィールド,項目|字段|필드
file|datei|fichier|archivo,fichero|arquivo,ficheiro|file|bestand|файл|ファイル|文件,檔案|파일
filter|filter|filtr|filtr|filtr|filtr|filter|фильтр|フィルタ,絞り込|过滤,筛选|필터
flag option|schalter|drapeau,option|indicador,opcion|sinalizador,opcao,opcoes|opzion|vlag,optie|флаг,опци|フラグ,オプション|标志,选项|플래그,옵션
folder directory|ordner,verzeichnis|dossier,repertoire|carpeta,directorio|pasta,diretorio|cartella,cartelle,directory|map,mappen,folder|папк,каталог,директори|フォルダ,ディレクトリ|文件夹,目录|폴더,디렉터리,디렉토리
font|schriftart,schrift|police de caracter,polices|fuente,tipografia|fonte,fontes|carattere,font|lettertype|шрифт|フォント|字体|글꼴,폰트
footer|fusszeile,fußzeile|pied de page,pieds de page|pie de pagina|rodape|pie di pagina|voettekst|подвал,нижний колонтитул|フッター|页脚|푸터,바닥글
form|formular|formulaire|formulario|formulario|modulo,moduli,form|formulier|форм|フォーム|表单|양식,폼
format|format|format|formato,format|formato,format|formato,formati,formatt|formaat,indeling|формат|フォーマット,形式,書式|格式|형식,포맷
function|funktion|fonction|funcion|funcao,funcoes|funzion|functie|функци|関数|函数|함수
generate|generier|gener|gener|ger,gerar,gera,gero|gener|genere|генерир|生成|生成|생성
group|gruppe|groupe|grupo|grupo|gruppo,gruppi|groep|групп|グループ|分组,群组,组|그룹
header|kopfzeile,header|en-tete,en tete,entete|cabecera,encabezado|cabecalho|intestazion|kopregel,koptekst|заголов|ヘッダ|标头,请求头,响应头,页眉,头部|헤더
heading|uberschrift|titre,titres,intertitre|titulo,encabezado|titulo|titolo,titoli|kop,koppen|заголов|見出し|标题|제목
hide|ausblend,versteck,verberg|masqu,cacher|ocult,escond|ocult,escond|nascond|verberg|скры|非表示,隠す|隐藏|숨기,숨김
history|verlauf,historie|historique|historial|historico|cronologia|geschiedenis|истори|履歴|历史|기록,히스토리
home page|startseite|page d'accueil|pagina de inicio,pagina principal|pagina inicial|pagina iniziale|startpagina|главн|ホームページ,トップページ|首页,主页|홈페이지,메인 페이지
how|wie|comment|como|como|come|hoe|как|どうやって,どうすれば|如何,怎么,怎样|어떻게
hook|einhak|crochet|gancho|gancho|hook|haak|хук|フック|钩子|훅
icon|symbol|icone|icono|icone|icona,icone|pictogram,icoon|иконк,значок|アイコン|图标|아이콘
image picture|bild,bilder|image,images|imagen,imagenes|imagem,imagens|immagin|afbeelding|изображени,картинк|画像,イメージ|图片,图像,镜像|이미지,그림
import|importier|import|import|import|import|import|импорт|インポート|导入|가져오기,임포트
index|index|indexe|indice,indexa|indice,indexa|indice,indici,indicizz|index|индекс|インデックス,索引|索引|색인,인덱스
inherit|vererb,erben|herit|hered|herd|eredit|overerv|наслед|継承|继承|상속
input|eingabe,eingeb|entree,saisie|entrada|entrada|ingresso,input|invoer|ввод,входн|入力|输入|입력
install installation|installier,installation|install|instal|instal|install|installe,installat|установ|インストール|安装|설치
key|schlussel|cle,cles|clave,claves,llave|chave,chaves|chiave,chiavi|sleutel|ключ|キー,鍵|密钥,键|키
keyboard shortcut|tastenkurzel,tastenkombination|raccourci|atajo|atalho|scorciatoi|sneltoets|сочетани клавиш,горяч клавиш,горячие клавиши|ショートカット|快捷键|단축키
language|sprache|langue|idioma,lengua|idioma,linguagem,lingua|lingua,lingue|taal,talen|язык|言語|语言|언어
large big|groß,gross|gros,grosse,volumineu|grande|grande|grande,grandi,grosso,grossi|groot,grote|больш|大きい,大きな,巨大,大容量|大文件,大型,较大|대용량,큰
layout|layout,anordnung|mise en page,disposition|diseno,disposicion|layout,disposicao|layout,disposizion|indeling,opmaak|макет,разметк|レイアウト|布局|레이아웃
library|bibliothek|bibliotheque|biblioteca,libreria|biblioteca|libreria,librerie|bibliotheek|библиотек|ライブラリ|库|라이브러리
license|lizenz|licence|licencia|licenca|licenza,licenze|licentie|лицензи|ライセンス|许可证|라이선스
limit maximum|grenz,begrenz,maximal,hochst|limit,maxim|limit,maxim|limit,maxim|limit,massim|limiet,beperk,maxim|ограничен,лимит,максим|制限,上限,最大|限制,上限,最大|제한,최대
line|zeile|ligne|linea,lineas|linha,linhas|riga,righe|regel,regels|строк|行番号,行目|行号|줄
link|verknupf,verweis|lien,liens|enlace,vinculo|link,ligacao|collegament|koppeling,link|ссылк|リンク|链接|링크
list|auflist,liste|liste,lister|lista,listar|lista,listar|elenc,lista|lijst|список,списк|一覧,リスト|列表,列出|목록,나열
load|laden,lade,geladen|charge|carg|carreg|caric|laden,laad|загруз,загруж|読み込|加载|불러오,로드
log logging|protokoll|journal|registro,bitacora|registro|registro,registri|logboek,logbestand|журнал,лог,логи|ログ|日志|로그
login sign in|anmeld,einlogg|connexion,se connecter|iniciar sesion,inicio de sesion|entrar,iniciar sessao|accesso,accedere|aanmeld,inlogg|войти,вход|ログイン,サインイン|登录|로그인
logo|firmenlogo|logo|logotipo|logotipo|logo|logo|логотип|ロゴ|徽标,标志图|로고
loop|schleife|boucle|bucle|laco|ciclo,cicli|lus|цикл|ループ|循环|반복문,루프
memory|arbeitsspeicher,speicherverbrauch|memoire|memoria|memoria|memoria|geheugen|памят|メモリ|内存|메모리
menu|menu|menu|menu|menu|menu|menu|меню|メニュー|菜单|메뉴
merge|zusammenfuhr,verschmelz|fusion|combin,fusion|mescl,combin|unire,unisc,fusion|samenvoeg|объедин,слияни|マージ,結合|合并|병합
message|nachricht,meldung|message|mensaje|mensagem,mensagens|messaggi|bericht,melding|сообщени|メッセージ|消息,信息|메시지
method|methode|methode|metodo|metodo|metodo,metodi|methode|метод|メソッド|方法|메서드,메소드
middleware|zwischenschicht|intergiciel|middleware|middleware|middleware|middleware|промежуточн|ミドルウェア|中间件|미들웨어
migrate migration|migrier,umzieh,umstieg|migr|migr|migr|migr|migre|мигр,перейти,переход|移行,マイグレーション|迁移|마이그레이션,이전
mobile|handy,mobil|telephone,mobile|movil|celular,movel|cellulare|mobiel|мобильн|モバイル|移动端,手机|모바일
model|modell|modele|modelo|modelo|modello,modelli|model|модел|モデル|模型|모델
module|modul|module|modulo|modulo|modulo,moduli|module|модул|モジュール|模块|모듈
monitor|uberwach|surveill|monitor,supervis|monitor|monitor|bewak|мониторинг|監視|监控|모니터링
move|verschieb|deplac|mover,muevo|mover,movo|spost|verplaats|перемест,перенес|移動|移动|이동,옮기
multiple|mehrere|plusieurs|varios,varias,multipl|varios,varias,multipl|piu,molteplic,multipl|meerdere|несколько,множеств|複数|多个|여러,다중
name rename|umbenenn,namen|nom,noms,renomm|nombre,renombr|nome,nomes,renome|nome,nomi,rinomin|naam,namen,hernoem|имя,имена,имени,назван,переимен|名前|名称,名字,重命名|이름
navigation|navigation|navigation|navegacion|navegacao|navigazion|navigatie|навигац|ナビゲーション|导航|내비게이션,네비게이션
network|netzwerk|reseau|red,redes|rede,redes|rete,reti|netwerk|сеть,сети,сетев|ネットワーク|网络|네트워크
notification|benachrichtig|notifi|notific|notific|notific|melding,notificat|уведомлени|通知|通知|알림
number|nummer,zahl|nombre,numero|numero|numero|numero,numeri|nummer,getal|номер,числ|番号,数値|数字,编号|숫자,번호
object|objekt|objet|objeto|objeto|oggetto,oggetti|object|объект|オブジェクト|对象|객체
offline|ohne internet|hors ligne|sin conexion|sem conexao,sem internet|senza connession|zonder internet|офлайн|オフライン|离线|오프라인
open|offne,offnen|ouvr|abrir,abro|abrir,abro|aprire,apro|openen|открыт,откры|開く|打开|열기,열려
operating system os|betriebssystem|systeme d'exploitation,systemes d'exploitation|sistema operativo,sistemas operativos|sistema operacional,sistema operativo|sistema operativo,sistemi operativi|besturingssysteem|операционн|オペレーティングシステム|操作系统,作業系統|운영체제,운영 체제
output|ausgabe,ausgeb|sortie|salida|saida|uscita,output|uitvoer|вывод,вывест,выход|出力|输出|출력
override|uberschreib|surcharg,remplac|sobrescrib,anul|sobrescrev,substitu|sovrascriv|overschrijv|переопредел|上書き,オーバーライド|覆盖,重写|재정의,덮어쓰
package|paket|paquet|paquete|pacote|pacchett|pakket|пакет|パッケージ|软件包,依赖包|패키지
page|seite|page,pages|pagina|pagina|pagina,pagine|pagina|страниц|ページ|页面,网页|페이지
parameter|parameter|parametre|parametro|parametro|parametro,parametri|parameter|параметр|パラメータ,パラメーター|参数|매개변수,파라미터
parse|einles,parse|analyser,analyse|analiz|analis|analizz|ontled|разбор,парс|解析,パース|解析|구문 분석,파싱
password|passwort,kennwort|mot de passe,mots de passe|contrasena|senha,senhas,palavra-passe|password,parola d'ordine|wachtwoord|парол|パスワード|密码|비밀번호,암호
path|pfad|chemin|ruta,rutas|caminho|percorso,percorsi|pad,paden|путь,пути|パス|路径|경로
payment|zahlung,bezahl|paiement|pago,pagos|pagamento|pagament|betaling|оплат,платеж|支払|支付,付款|결제
performance|leistung|performance|rendimiento|desempenho|prestazion|prestatie|производительност|パフォーマンス,性能|性能|성능
permission|berechtigung,rechte|permission,droits|permiso|permissao,permissoes|permess,autorizzazion|machtiging,rechten|разрешени,права|権限,パーミッション|权限|권한
plugin|erweiterung,plugin|greffon,plugin,extension|complemento,plugin|plugin,complemento|plugin,estension|plug-in,invoegtoepassing|плагин|プラグイン|插件|플러그인
position|position|position|posicion|posicao|posizion|positie|позици|位置|位置|위치
previous next|vorherig,nachst|precedent,suivant|anterior,siguiente|anterior,proxim|precedent,successiv|vorige,volgende|предыдущ,следующ|前へ,次へ,前後|上一页,下一页|이전,다음
print|druck|imprim|imprim|imprim|stamp|afdruk,print|печат,распечат|印刷|打印|출력,인쇄
private|privat|prive,privee|privad|privad|privat|prive|приватн,закрыт|非公開,プライベート|私有|비공개
process|prozess|processus|proceso|processo|processo,processi|proces|процесс|プロセス|进程|프로세스
project|projekt|projet|proyecto|projeto|progett|project|проект|プロジェクト|项目|프로젝트
protect secure security|schutz,sicherheit,absicher|proteg,secur|proteg,segur|proteg,segur|proteg,sicur|bescherm,beveilig|защит,безопас|保護,セキュリティ|保护,安全|보호,보안
proxy|stellvertreter|mandataire|proxy|proxy|proxy|proxy|прокси|プロキシ|代理|프록시
publish|veroffentlich|publi|public|public|pubblic|publice|опублик,публик|公開|发布|게시,발행
query|abfrage|requete|consulta|consulta|interrogazion|query,zoekopdracht|запрос|クエリ|查询|쿼리,질의
queue|warteschlange|file d'attente,files d'attente|cola,colas|fila,filas|coda|wachtrij|очеред|キュー|队列|큐,대기열
random|zufall|aleatoire|aleatori|aleatori|casual|willekeurig|случайн|ランダム|随机|무작위,랜덤
read|lesen,lese,ausles|lire,lecture,lis|leer,leo|ler,leio|legger,leggo|lezen,lees|чита,прочит,чтени|読む,読み取|读取|읽기,읽어,읽는
recursive|rekursiv|recursi|recursi|recursi|ricorsi|recursie|рекурсивн|再帰|递归|재귀
redirect|weiterleit,umleit|redirig,redirect|redirig,redirec|redirec|reindirizz|omleid,doorstur|перенаправ,редирект|リダイレクト|重定向|리디렉션,리다이렉트
regular expression|regulare,regularen|expression reguliere,expressions regulieres|expresion regular,expresiones regulares|expressao regular,expressoes regulares|espressione regolare,espressioni regolari|reguliere expressie|регулярн|正規表現|正则|정규식,정규 표현식
release|veroffentlichungsversion|publication,parution|lanzamiento|lancamento|rilascio,rilasci|uitgave|релиз,выпуск|リリース|发行,发布|릴리스
remote|entfernt|distant|remot|remot|remot|extern|удаленн|リモート|远程|원격
remove delete|losch,entfern|supprim,suppression,effac,enlev|elimin,borr,quitar,suprim|remov,exclu,apag,elimin,delet|elimin,rimuov,cancell|verwijder,wissen|удал|削除|删除,移除|삭제,제거
repository|repositor|depot,depots|repositorio|repositorio|repository|opslagplaats|репозитори|リポジトリ|仓库|저장소,리포지토리
request|anfrage,anforderung|requete,demande|solicitud,peticion|requisic,pedido,solicitac|richiest|verzoek,aanvraag|запрос|リクエスト,要求|请求|요청
required|erforderlich,pflicht|requis,obligatoire|obligatori,requerid|obrigatori,requerid|obbligatori,richiest|verplicht,vereist|обязательн|必須|必填,必需|필수
response|antwort|reponse|respuesta|resposta|rispost|antwoord,respons|ответ|レスポンス,応答|响应|응답
restart|neu starten,neustart,neu start|redemarr|reinici|reinici|riavvi|herstart|перезапус,перезагру|再起動|重启|재시작
restore|wiederherstell|restaur|restaur|restaur|ripristin|herstel,terugzet|восстанов|復元,リストア|恢复,还原|복원,복구
result|ergebnis|resultat|resultado|resultado|risultat|resultaat|результат|結果|结果|결과
retry|wiederhol,erneut versuch|reessay,nouvelle tentative|reintent|repetir,tentar novamente,nova tentativa|riprov,nuovo tentativo|opnieuw prober|повтор|リトライ,再試行|重试|재시도
role|rolle|role,roles|rol,roles|papel,papeis,funcao de usuario|ruolo,ruoli|rol,rollen|роль,роли,ролей|ロール,役割|角色|역할
route routing|routen,routing|route,routes,routage|ruta,rutas,enrutamiento|rota,rotas,roteamento|rotta,rotte,instradament|route,routering|маршрут|ルート,ルーティング|路由|라우트,라우팅
run execute|ausfuhr,fuhre,laufen|execut,lancer|ejecut|execut,rodar,rodo|esegu,eseguo|uitvoer,draai|запуст,запуска,выполн|実行|运行,执行|실행
save store|speicher,abspeicher|enregistr,sauvegarder,stock|guard,almacen|salvar,guard,armazen|salv,memorizz|opslaan,bewaar|сохран,хран|保存|保存,存储|저장
schedule|planen,zeitplan,geplant|planifi|program,planific|agend,program|pianific,programm|plannen,inplan,gepland|расписан,заплан|スケジュール,予約,定期|定时,计划任务,调度|예약,스케줄
schema|schema|schema|esquema|esquema|schema,schemi|schema|схем|スキーマ|模式,架构|스키마
script|skript|script|script|script|script|script|скрипт|スクリプト|脚本|스크립트
search find|suche,such,suchen,finden,durchsuch|recherch,cherch,trouv|busc,busque,encontr|busca,buscar,pesquis,procur,encontr|cerca,cercare,ricerc,trovare|zoek,zoeken,vinden|поиск,искать,найти|検索,探す|搜索,查找|검색,찾
secret|geheimnis,geheim|secret|secreto|segredo|segreto,segreti|geheim|секрет|シークレット,秘密|机密,秘密|시크릿,비밀
section|abschnitt|section|seccion|secao,secoes|sezion|sectie|раздел|セクション|章节,部分|섹션
send|senden,sende,schicken,verschick|envoy,envoi|enviar,envio|enviar,envio|inviare,invio,invia|verzend,versturen,stuur|отправ,послать|送信,送る|发送|보내,전송
server|server|serveur|servidor|servidor|server|server|сервер|サーバ|服务器|서버
service|dienst|service|servicio|servico|servizi|dienst|сервис,служб|サービス|服务|서비스
session|sitzung|session|sesion|sessao,sessoes|session|sessie|сесси,сеанс|セッション|会话|세션
setting|einstell|reglage,parametr|ajuste,configuracion|configurac,definic,ajuste|impostazion|instelling|настройк|設定|设置,设定|설정
setup|einricht,richte|mettre en place,mise en place|instalacion inicial|preparar|impostare|opzet|подготов|セットアップ|搭建|설정
share|teilen,teile|partag|compart|compartilh,partilh|condivid|delen|подел,общий доступ|共有|共享,分享|공유
sidebar|seitenleiste|barre laterale|barra lateral|barra lateral|barra laterale|zijbalk|боков|サイドバー|侧边栏,侧栏|사이드바
sign signature|signier,signatur|signer,signature|firma,firmar|assinar,assinatura|firma,firmare|onderteken,handtekening|подпис|署名|签名|서명
size|große,grosse|taille|tamano|tamanho|dimension,grandezza|grootte,omvang|размер|サイズ,大きさ|大小,尺寸|크기,사이즈
slow|langsam|lent,lente,lents,ralent|lento,lenta|lento,lenta,devagar|lento,lenta,lenti|traag,langzaam|медлен|遅い,遅く|慢|느리,느린
sort order|sortier,reihenfolge|trier,tri,ordre|orden|orden,ordem|ordin|sorteer,volgorde|сортир,порядок,порядк|並べ替え,並び替え,順序,ソート|排序,顺序|정렬,순서
source|quelle|source|fuente|fonte,origem|fonte,fonti,sorgent|bron,bronnen|источник,исходн|ソース|来源,源码|소스
split chunk|aufteil,zerleg,teile auf,geteilt|decoup,divis|dividir,divido,trocear|dividir,divido|divid,suddivid|opsplits,splits|раздел,разби|分割|分割,拆分,分块|분할,나누
standalone|eigenstandig|autonome|autonom|autonom|autonom|zelfstandig|автономн|スタンドアロン|独立|독립
start|starten,starte,gestartet|demarr|inici,arranc|inici|avvi|starten,gestart|старт,начать,начал|開始,起動|启动,开始|시작
static|statisch|statique|estatic|estatic|static|statisch|статическ|静的|静态|정적
status|status,zustand|statut,etat|estado|estado,status|stato,stati|status|статус,состояни|ステータス,状態|状态|상태
status code|statuscode|code de statut,code d'etat,codes d'etat|codigo de estado,codigos de estado|codigo de status,codigo de estado|codice di stato,codici di stato|statuscode|код состояния,код ответа,код статуса,коды состояния|ステータスコード|状态码|상태 코드,상태코드
stop|anhalt,stopp,beend|arret|deten,parar|parar|ferm,arrest|stoppen|останов|停止|停止|중지,중단
stream streaming|datenstrom|flux|flujo,transmision|fluxo|flusso,flussi|stroom|поток,потоков|ストリーム,ストリーミング|流式|스트림,스트리밍
string text|zeichenkette,zeichenfolge|chaine de caracteres|cadena|texto|stringa,stringhe,testo|tekenreeks|строк,текст|文字列|字符串|문자열
style|stil|style|estilo|estilo|stile,stili|stijl|стил|スタイル|样式|스타일
subscription|abonnement|abonnement|suscripcion|assinatura|abbonament|abonnement|подписк|購読,サブスクリプション|订阅|구독
symbolic link|symbolisch|lien symbolique,liens symboliques|enlace simbolico,enlaces simbolicos|link simbolico,links simbolicos|collegamento simbolico|symbolische|символическ|シンボリックリンク|符号链接,软链接|심볼릭 링크
sync synchronize|synchronisier,abgleich|synchronis|sincroniz|sincroniz|sincronizz|synchronis|синхрониз|同期|同步|동기화
tab|registerkarte,reiter|onglet|pestana|aba,abas,guia|scheda,schede|tabblad|вкладк|タブ|标签页,选项卡|탭
table|tabelle|tableau,table,tables|tabla,tablas|tabela|tabell|tabel|таблиц|テーブル|表格,数据表|테이블
tag label|schlagwort,kennzeich|etiquette,balise|etiqueta|etiqueta,rotulo|etichett|label|тег,теги,метк|タグ,ラベル|标签|태그,라벨
task job|aufgabe,auftrag|tache|tarea|tarefa|attivita,compito|taak,taken|задач,задани|タスク,ジョブ|任务|작업
team|mannschaft|equipe|equipo|equipe,time|squadra|team|команда разработ|チーム|团队|팀
template|vorlage|modele,gabarit|plantilla|modelo|modello,modelli|sjabloon|шаблон|テンプレート|模板|템플릿
terminal shell|konsole|console,terminal|terminal,consola|terminal|terminale|terminal|терминал,консол|ターミナル,シェル|终端|터미널,셸
test testing|test,tests,testen|teste,tester,essai|prueba,probar|teste,testes,testar|prova,testare|testen|тест|テスト|测试|테스트
theme|thema,themen,design|theme,themes|tema,temas|tema,temas|tema,temi|thema|тема,тему,темы|テーマ|主题|테마
timeout|zeituberschreit,zeitlimit|delai d'attente,delai|tiempo de espera|tempo limite,tempo esgotado|tempo massimo,timeout|time-out,tijdslimiet|таймаут,тайм-аут|タイムアウト|超时|타임아웃,시간 초과
time timezone|zeitzone,uhrzeit|fuseau horaire,heure|zona horaria,hora|fuso horario,hora|fuso orario,orario|tijdzone,tijd|часов пояс,время|タイムゾーン,時刻,時間|时区,时间|시간대,시간
title|titel|titre|titulo|titulo|titolo,titoli|titel|заголов,названи|タイトル,題名|标题|제목
site website|webseite,website,webauftritt|site,sites|sitio,sitios|site,sites|sito,siti|website,site|сайт|サイト|网站,站点|사이트
token|zugriffstoken|jeton|token,ficha|token|token|token|токен|トークン|令牌|토큰
translate translation|ubersetz|tradui,traduct|traduc,traduz|traduz,traducao|tradu|vertal|перевод,перевест,перевес|翻訳|翻译|번역
tree|baum|arborescence,arbre|arbol|arvore|albero,alberi|boom,boomstructuur|дерев|ツリー|树|트리
type|typ,typen|type,types|tipo,tipos|tipo,tipos|tipo,tipi|type,typen|тип,типы,типа|型,タイプ|类型|타입,유형
uninstall|deinstall|desinstall|desinstal|desinstal|disinstall|verwijder|деинстал|アンインストール|卸载|제거
update upgrade|aktualisier|mettre a jour,mise a jour,met a jour|actualiz|atualiz|aggiorn|bijwerk,werk bij,updaten|обнов|更新,アップデート,アップグレード|更新,升级|업데이트,업그레이드,갱신
upload|hochlad,hochgelad,lade hoch|televers,televerse,envoi de fichier|subir,subida,subo|enviar arquivo,upload|caric,carica|uploaden|загрузить на|アップロード|上传|업로드
user|benutzer,nutzer,anwender|utilisateur|usuario|usuario,utilizador|utente,utenti|gebruiker|пользовател|ユーザ|用户|사용자
validate validation|validier|valid|valid|valid|valid|valide|валидац|検証,バリデーション|校验,验证|검증,유효성
value|wert,werte|valeur|valor|valor|valore,valori|waarde|значени|値|值|값
variable|variabl|variable|variable|variavel,variaveis|variabil|variabele|переменн|変数|变量|변수
version|version|version|version|versao,versoes|version|versie|верси|バージョン|版本|버전
video|video|video|video|video|video|video|видео|動画,ビデオ|视频|동영상,비디오
virtual environment|virtuelle,virtuellen|environnement virtuel|entorno virtual|ambiente virtual|ambiente virtuale|virtuele|виртуальн|仮想環境|虚拟环境|가상 환경
warning note|warnung,hinweis|avertissement,remarque|advertencia,aviso|aviso,advertencia|avviso,avvisi,avvertenza|waarschuwing|предупрежден|警告,注意|警告,提示|경고
webhook|webhook|webhook|webhook|webhook|webhook|webhook|вебхук|ウェブフック,Webhook|网络钩子|웹훅
write|schreib|ecri|escrib|escrev|scriv|schrijf,schrijv|писать,запис|書く,書き込|写入,编写|쓰기,작성
case sensitive|großschreib,kleinschreib,gross- und klein,groß- und klein|sensible a la casse,majuscule|mayuscula,minuscula|maiuscula,minuscula|maiuscol,minuscol|hoofdletter|регистр|大文字,小文字|大小写|대소문자
last updated|zuletzt aktualisiert|derniere mise a jour|ultima actualizacion|ultima atualizacao|ultimo aggiornamento|laatst bijgewerkt|последнее обновление,последнего обновления|最終更新|最后更新,上次更新|마지막 업데이트,최종 수정`
