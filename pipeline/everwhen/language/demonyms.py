"""The adjectives of countries: what is British is of the United Kingdom."""

from __future__ import annotations

_COUNTRIES = """
Afghanistan Afghan|Albania Albanian|Algeria Algerian|Angola Angolan|Argentina Argentine|Armenia Armenian
Australia Australian|Austria Austrian|Azerbaijan Azerbaijani|Bahrain Bahraini|Bangladesh Bangladeshi|Belarus Belarusian
Belgium Belgian|Bolivia Bolivian|Bosnia_and_Herzegovina Bosnian|Botswana Botswanan|Brazil Brazilian|Bulgaria Bulgarian
Burkina_Faso Burkinabe|Burundi Burundian|Cambodia Cambodian|Cameroon Cameroonian|Canada Canadian|Chile Chilean
China Chinese|Colombia Colombian|Costa_Rica Costa_Rican|Croatia Croatian|Cuba Cuban|Cyprus Cypriot|Czech_Republic Czech
Denmark Danish|Ecuador Ecuadorian|Egypt Egyptian|England English|Eritrea Eritrean|Estonia Estonian|Ethiopia Ethiopian
Finland Finnish|France French|Gabon Gabonese|Gambia Gambian|Georgia Georgian|Germany German|Ghana Ghanaian|Greece Greek
Guatemala Guatemalan|Haiti Haitian|Honduras Honduran|Hungary Hungarian|Iceland Icelandic|India Indian
Indonesia Indonesian|Iran Iranian|Iraq Iraqi|Ireland Irish|Israel Israeli|Italy Italian|Jamaica Jamaican|Japan Japanese
Jordan Jordanian|Kazakhstan Kazakh|Kenya Kenyan|Kosovo Kosovan|Kuwait Kuwaiti|Kyrgyzstan Kyrgyz|Laos Laotian
Latvia Latvian|Lebanon Lebanese|Liberia Liberian|Libya Libyan|Lithuania Lithuanian|Luxembourg Luxembourgish
Madagascar Malagasy|Malawi Malawian|Malaysia Malaysian|Mali Malian|Malta Maltese|Mauritania Mauritanian|Mexico Mexican
Moldova Moldovan|Mongolia Mongolian|Montenegro Montenegrin|Morocco Moroccan|Mozambique Mozambican|Myanmar Burmese
Namibia Namibian|Nepal Nepalese|Netherlands Dutch|New_Zealand New_Zealand|Nicaragua Nicaraguan|Nigeria Nigerian
North_Korea North_Korean|North_Macedonia Macedonian|Norway Norwegian|Oman Omani|Pakistan Pakistani
Palestine Palestinian|Panama Panamanian|Paraguay Paraguayan|Peru Peruvian|Philippines Philippine|Poland Polish
Portugal Portuguese|Qatar Qatari|Romania Romanian|Russia Russian|Rwanda Rwandan|Saudi_Arabia Saudi|Scotland Scottish
Senegal Senegalese|Serbia Serbian|Singapore Singaporean|Slovakia Slovak|Slovenia Slovenian|Somalia Somali
South_Africa South_African|South_Korea South_Korean|Spain Spanish|Sri_Lanka Sri_Lankan|Sudan Sudanese|Sweden Swedish
Switzerland Swiss|Syria Syrian|Taiwan Taiwanese|Tajikistan Tajik|Tanzania Tanzanian|Thailand Thai|Togo Togolese
Tunisia Tunisian|Turkey Turkish|Turkmenistan Turkmen|Uganda Ugandan|Ukraine Ukrainian|United_Kingdom British
United_States American|Uruguay Uruguayan|Uzbekistan Uzbek|Venezuela Venezuelan|Vietnam Vietnamese|Wales Welsh
Yemen Yemeni|Zambia Zambian|Zimbabwe Zimbabwean
"""

ADJECTIVES = {
    country.replace("_", " "): adjective.replace("_", " ")
    for country, adjective in (pair.split() for line in _COUNTRIES.split("\n") if line for pair in line.split("|"))
}
"""The adjective of each country, by its English name."""
