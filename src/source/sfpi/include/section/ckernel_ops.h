// TTI_SFPMAD(...) and its like, for a test that is not LLK's, or one of an LLK without this header.
// They are written from the tables of lanewise, and stand at the head of a section's text.
#pragma once
