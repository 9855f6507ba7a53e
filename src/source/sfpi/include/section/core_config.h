// How many cores a tile has. Nothing that runs in a section asks for more than the name.
#pragma once
