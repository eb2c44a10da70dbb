/**
 * Forty texts that visitors and staff must be able to write without anything coming of them. Whatever of them would run
 * does `attacked=1`, which a test looks for, and asks for an address that holds `attacked`.
 */
const RUN = 'attacked=1'

export const hostileTexts: readonly string[] = [
  // Markup that runs
  `<script>${RUN}</script>`,
  `</title></textarea></script><script>${RUN}</script>`,
  `<ScRiPt src="/attacked.js"></sCrIpT>`,
  `<script type="module">import("/attacked.js")</script>`,
  `<img src=x onerror=${RUN}>`,
  `"><img src=x onerror="${RUN}">`,
  `'><img src='x' onerror='${RUN}'>`,
  `<img/src="x"/onerror=${RUN}//`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `" autofocus onfocus=${RUN} x="`,
  `<video><source onerror=${RUN}></video>`,
  `<marquee onstart=${RUN}>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="data:text/html,<script>parent.${RUN}</script>"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<base href="https://attacked.test/">`,
  `<meta http-equiv="refresh" content="0;url=/attacked">`,
  `<form action="/attacked"><button autofocus>Send</button></form>`,
  // Drawings
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y="20">x</text></a></svg>`,
  // What becomes markup once it is read twice
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${RUN}&gt;">`,
  `&lt;img src=x onerror=${RUN}&gt;`,
  `\\u003cimg src=x onerror=${RUN}\\u003e`,
  // Addresses
  `javascript:${RUN}`,
  ` jav\u200bascript:${RUN}//https://agency.test`,
  `data:text/html,<script>${RUN}</script>`,
  `[link](javascript:${RUN})`,
  // Templates
  `{{constructor.constructor("${RUN}")()}}`,
  `\${(()=>{${RUN}})()} #{7*7} <%= 7*7 %>`,
  // Styles
  `<style>*{background:url(/attacked.png)}</style>`,
  `x"style="background:url(/attacked.png);position:fixed;inset:0`,
  // Other readers: a spreadsheet, a terminal, a mail header, an eye
  `=HYPERLINK("https://attacked.test/","Invoice")|cmd|'/c calc'!A1`,
  `%0d%0aBcc: attacked@evil.test%0d%0a%1b[2J%1b]0;attacked%07`,
  `\u202Emoc.tset.live\u202C\u2066 \u{E0041}\u{1F469}\u200D\u{1F4BB} Z\u0351\u036B\u0343a\u0334l\u0337go`,
  `<b>${'A'.repeat(60)}</b>`,
]

/** Names that a mail reader would show as something else, were they put into a header as they are. */
export const LOOKS_ENCODED = [
  '=?utf-8?B?VGhlIGFnZW5jeQ==?=',
  'Mai =?utf-8?Q?The_agency?= Nguyen',
  '=?utf-8?Q?The agency?=',
  '=?iso-8859-1*en?q?The?= "x" <x@evil.test>',
  '=?utf-8?B?VGhl?= =?utf-8?B?IGFnZW5jeQ==?= 阮氏梅',
]
