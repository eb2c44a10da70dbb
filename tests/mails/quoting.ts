import { html, mail, type Sample } from './build.ts'

/** What the agency wrote, as mail programs quote it. */
const LETTER = 'Dear Mai,\nwhich visa does your sister have now?'
const marked = LETTER.split('\n')
  .map(line => `> ${line}`)
  .join('\n')
const ANSWER = 'She has a 600 visa.\n\nBest regards\nMai'

/** How a program quotes, below an answer. */
const below: readonly (readonly [program: string, quote: string])[] = [
  ['Gmail', `On Mon, 30 Nov 2026 at 10:00, Landfall <info@agency.test> wrote:\n\n${marked}`],
  [
    'Gmail, with its attribution on two lines',
    `On Mon, 30 Nov 2026 at 10:00, Landfall Migration Agency of Sydney\n<info@agency.test> wrote:\n\n${marked}`,
  ],
  ['Apple Mail', `> On 30 Nov 2026, at 10:00 am, Landfall <info@agency.test> wrote:\n> \n${marked}`],
  ['Thunderbird', `On 30/11/2026 10:00 am, Landfall wrote:\n${marked}\n`],
  [
    'Outlook',
    `________________________________\nFrom: Landfall <info@agency.test>\nSent: Monday, 30 November 2026 10:00 AM\nTo: Mai Nguyen <mai@visitor.test>\nSubject: Re: Your enquiry LF-1\n\n${LETTER}`,
  ],
  [
    'Outlook for the web',
    `From: Landfall <info@agency.test>\nDate: Monday, 30 November 2026 at 10:00\nTo: Mai Nguyen <mai@visitor.test>\nSubject: Re: Your enquiry LF-1\n${LETTER}`,
  ],
  [
    'Outlook 2003',
    `-----Original Message-----\nFrom: Landfall [mailto:info@agency.test]\nSent: Monday, 30 November 2026 10:00 AM\nTo: Mai Nguyen\nSubject: Re: Your enquiry LF-1\n\n${LETTER}`,
  ],
  [
    'Outlook for Mac, with bold headers',
    `*From: *Landfall <info@agency.test>\n*Date: *Monday, 30 November 2026 at 10:00\n*To: *Mai Nguyen\n*Subject: *Re: Your enquiry LF-1\n\n${LETTER}`,
  ],
  [
    'Yahoo Mail',
    `    On Monday, 30 November 2026 at 10:00:00 am AEDT, Landfall <info@agency.test> wrote:  \n \n ${LETTER}`,
  ],
  [
    'Samsung Email',
    `-------- Original message --------\nFrom: Landfall <info@agency.test>\nDate: 30/11/2026 10:00 (GMT+10:00)\nTo: mai@visitor.test\nSubject: Re: Your enquiry LF-1\n\n${LETTER}`,
  ],
  [
    'Proton Mail',
    `------- Original Message -------\nOn Monday, November 30th, 2026 at 10:00 AM, Landfall <info@agency.test> wrote:\n\n\n${marked}`,
  ],
  ['Zoho Mail', `---- On Mon, 30 Nov 2026 10:00:00 +1100 Landfall <info@agency.test> wrote ---\n\n${LETTER}`],
  [
    'QQ Mail',
    `------------------ 原始邮件 ------------------\n发件人: "Landfall" <info@agency.test>;\n发送时间: 2026年11月30日(星期一) 上午10:00\n收件人: "Mai"<mai@visitor.test>;\n主题: Re: Your enquiry LF-1\n\n${LETTER}`,
  ],
  [
    'NetEase Mail',
    `At 2026-11-30 10:00:00, "Landfall" <info@agency.test> wrote:\n>${LETTER.replaceAll('\n', '\n>')}`,
  ],
]

/** Attributions in ten languages, above marked lines and above plain ones. */
const languages: readonly (readonly [language: string, answer: string, quote: string])[] = [
  [
    'Chinese',
    '她现在有600签证。谢谢！',
    `在 2026年11月30日，Landfall <info@agency.test> 写道：\n\n${marked}`,
  ],
  [
    'Chinese, above plain lines',
    '她现在有600签证。',
    `于 2026-11-30 10:00:00，"Landfall" <info@agency.test> 写道：\n${LETTER}`,
  ],
  [
    'Chinese in Taiwan',
    '她目前持600簽證。',
    `Landfall <info@agency.test> 於 2026年11月30日 週一 上午10:00寫道：\n\n${marked}`,
  ],
  [
    'Vietnamese',
    'Chị ấy có thị thực 600.',
    `Vào Th 2, 30 thg 11, 2026 vào lúc 10:00 Landfall <info@agency.test> đã viết:\n\n${marked}`,
  ],
  [
    'Vietnamese, in Outlook',
    'Chị ấy có thị thực 600.',
    `Từ: Landfall <info@agency.test>\nĐã gửi: Thứ Hai, 30 Tháng Mười Một 2026 10:00\nĐến: Mai\nChủ đề: Re: LF-1\n\n${LETTER}`,
  ],
  [
    'Hindi',
    'उसके पास 600 वीज़ा है।',
    `सोम, 30 नव॰ 2026 को 10:00 बजे को Landfall <info@agency.test> ने लिखा:\n\n${marked}`,
  ],
  [
    'Arabic, from right to left',
    'لديها تأشيرة ٦٠٠.',
    `في الاثنين، 30 نوفمبر 2026 في 10:00 ص تمت كتابة ما يلي بواسطة Landfall <\u200einfo@agency.test\u200e>:\n\n${marked}`,
  ],
  [
    'Arabic, in Outlook',
    'لديها تأشيرة 600.',
    `من: Landfall <info@agency.test>\nتاريخ الإرسال: الاثنين، 30 نوفمبر 2026 10:00\nإلى: Mai\nالموضوع: LF-1\n\n${LETTER}`,
  ],
  [
    'Spanish',
    'Tiene una visa 600.',
    `El lun, 30 nov 2026 a las 10:00, Landfall (<info@agency.test>) escribió:\n\n${marked}`,
  ],
  [
    'Spanish, in Outlook',
    'Tiene una visa 600.',
    `De: Landfall <info@agency.test>\nEnviado el: lunes, 30 de noviembre de 2026 10:00\nPara: Mai\nAsunto: LF-1\n\n${LETTER}`,
  ],
  [
    'Portuguese',
    'Ela tem um visto 600.',
    `Em seg., 30 de nov. de 2026 às 10:00, Landfall <info@agency.test> escreveu:\n\n${marked}`,
  ],
  [
    'French',
    'Elle a un visa 600.',
    `Le lun. 30 nov. 2026 à 10:00, Landfall <info@agency.test> a écrit :\n\n${marked}`,
  ],
  [
    'French, in Outlook',
    'Elle a un visa 600.',
    `De : Landfall <info@agency.test>\nEnvoyé : lundi 30 novembre 2026 10:00\nÀ : Mai\nObjet : LF-1\n\n${LETTER}`,
  ],
  [
    'German',
    'Sie hat ein Visum 600.',
    `Am Mo., 30. Nov. 2026 um 10:00 Uhr schrieb Landfall <info@agency.test>:\n\n${marked}`,
  ],
  [
    'German, in Outlook',
    'Sie hat ein Visum 600.',
    `Von: Landfall <info@agency.test>\nGesendet: Montag, 30. November 2026 10:00\nAn: Mai\nBetreff: LF-1\n\n${LETTER}`,
  ],
  [
    'Japanese',
    '600ビザを持っています。',
    `2026年11月30日(月) 10:00 Landfall <info@agency.test>:\n\n${marked}`,
  ],
  [
    'Japanese, in Outlook',
    '600ビザを持っています。',
    `差出人: Landfall <info@agency.test>\n送信日時: 2026年11月30日 10:00\n宛先: Mai\n件名: LF-1\n\n${LETTER}`,
  ],
  [
    'Korean',
    '600 비자가 있습니다.',
    `2026년 11월 30일 (월) 오전 10:00, Landfall <info@agency.test>님이 작성:\n\n${marked}`,
  ],
  [
    'Korean, in Outlook',
    '600 비자가 있습니다.',
    `보낸 사람: Landfall <info@agency.test>\n보낸 날짜: 2026년 11월 30일 월요일 오전 10:00\n받는 사람: Mai\n제목: LF-1\n\n${LETTER}`,
  ],
  [
    'Italian',
    'Ha un visto 600.',
    `Il giorno lun 30 nov 2026 alle ore 10:00 Landfall <info@agency.test> ha scritto:\n\n${marked}`,
  ],
]

const folded = (name: string, answer: string, quote: string): Sample => ({
  name,
  raw: mail({ body: `${answer}\n\n${quote}\n` }),
  text: answer,
  quoted: 'folded',
})

/** Answers that stand elsewhere, and what only looks like a quote. */
const others: readonly Sample[] = [
  {
    name: 'answers between the lines of a quote stay visible with them',
    raw: mail({
      body: `Hello,\n\n> Dear Mai,\n> which visa does your sister have now?\n\nA 600.\n\n> When does it end?\n\nIn May.\n`,
    }),
    text: 'Hello,\n\n> Dear Mai,\n> which visa does your sister have now?\n\nA 600.\n\n> When does it end?\n\nIn May.',
  },
  {
    name: 'an answer below a quote stays visible',
    raw: mail({ body: `On 30 Nov 2026, Landfall wrote:\n${marked}\n\nA 600.\n` }),
    text: `On 30 Nov 2026, Landfall wrote:\n${marked}\n\nA 600.`,
  },
  {
    name: 'what follows the last answer between the lines is folded',
    raw: mail({ body: `> Which visa?\nA 600.\n> When does it end?\n> Best regards\n` }),
    text: '> Which visa?\nA 600.',
    quoted: 'folded',
  },
  {
    name: 'a signature below a quote stays visible',
    raw: mail({ body: `A 600.\n\nOn 30 Nov 2026, Landfall wrote:\n${marked}\n\n-- \nMai\n` }),
    text: `A 600.\n\nOn 30 Nov 2026, Landfall wrote:\n${marked}\n\n-- \nMai`,
  },
  {
    name: 'a mail that is nothing but a quote is shown',
    raw: mail({ body: marked }),
    text: marked,
  },
  {
    name: 'what is forwarded is not folded',
    raw: mail({
      body: `Please see below.\n\n---------- Forwarded message ---------\nFrom: Department <no-reply@gov.test>\nDate: Mon, 30 Nov 2026\nSubject: Your application\nTo: <mai@visitor.test>\n\nYour visa was granted.\n`,
    }),
    text: 'Please see below.\n\n---------- Forwarded message ---------\nFrom: Department <no-reply@gov.test>\nDate: Mon, 30 Nov 2026\nSubject: Your application\nTo: <mai@visitor.test>\n\nYour visa was granted.',
  },
  {
    name: 'a list that ends with a colon is no attribution',
    raw: mail({
      body: 'I need these documents:\n- passport\n- photo\n\nOn Monday my uncle wrote: come soon.\n',
    }),
    text: 'I need these documents:\n- passport\n- photo\n\nOn Monday my uncle wrote: come soon.',
  },
  {
    name: 'Gmail in HTML',
    raw: html(
      `<div dir="ltr">She has a 600 visa.</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, 30 Nov 2026 at 10:00, Landfall &lt;<a href="mailto:info@agency.test">info@agency.test</a>&gt; wrote:<br></div><blockquote class="gmail_quote">Dear Mai,<br>which visa?</blockquote></div>`,
    ),
    text: 'She has a 600 visa.',
    quoted: 'folded',
  },
  {
    name: 'Outlook in HTML',
    raw: html(
      `<html><head><style>p {margin:0}</style></head><body><p>She has a <b>600</b> visa.</p><div style="border-top:solid #E1E1E1 1.0pt"><p><b>From:</b> Landfall &lt;info@agency.test&gt;<br><b>Sent:</b> Monday, 30 November 2026 10:00<br><b>To:</b> Mai<br><b>Subject:</b> LF-1</p></div><p>Dear Mai</p></body></html>`,
    ),
    text: 'She has a 600 visa.',
    quoted: 'folded',
  },
  {
    name: 'text that HTML hides is shown, and its lists and links are text',
    raw: html(
      `<p>See <a href="https://evil.test">this</a>:</p><ul><li>one<li>two</ul><div style="display:none">secret &amp; hidden</div><script>alert(1)</script>`,
    ),
    text: 'See this:\n\n• one\n• two\n\nsecret & hidden',
  },
]

export const quoting: readonly Sample[] = [
  ...below.map(([program, quote]) => folded(program, ANSWER, quote)),
  ...languages.map(([language, answer, quote]) => folded(language, answer, quote)),
  ...others,
]
